// A target in a process of its own that holds each request for the next of the delays it was given, and logs when it came and
// when it was answered. Plain JavaScript: Node runs it as it is. Reads one JSON line { delaysMs, stall } from stdin, prints the port, and
// prints the log as JSON when stdin ends.
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const wallMs = () => performance.timeOrigin + performance.now();
/** MAC address, moment of arrival, moment of answer; wall clock in milliseconds. */
const log = [];
let given = { delaysMs: [0], stall: null };
let first;

function holdMs(nowMs) {
  const { delaysMs, stall } = given;
  const delay = delaysMs[log.length % delaysMs.length] ?? 0;
  if (stall === null) return delay;
  first ??= nowMs;
  const since = nowMs - first;
  const left = since >= stall.afterMs ? stall.afterMs + stall.lengthMs - since : 0;
  return Math.max(delay, left);
}

const server = createServer((request, response) => {
  const cameMs = wallMs();
  const entry = { mac: '', cameMs, answeredMs: 0 };
  const hold = holdMs(cameMs);
  log.push(entry);
  let body = '';
  request.setEncoding('latin1').on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    entry.mac = /02(?::[0-9A-F]{2}){5}/.exec(body)?.[0] ?? '';
    const answer = () => {
      response.writeHead(204).end();
      entry.answeredMs = wallMs();
    };
    const left = hold - (wallMs() - cameMs);
    if (left <= 0) answer();
    else setTimeout(answer, left);
  });
});
server.keepAliveTimeout = 0;

const lines = createInterface({ input: process.stdin });
lines.once('line', (line) => {
  given = JSON.parse(line);
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
});
lines.once('close', () => {
  process.stdout.write(JSON.stringify(log), () => process.exit(0));
});
