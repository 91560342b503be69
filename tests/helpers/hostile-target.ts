import { json, type StubTarget, stubTarget } from './stub-target.ts';

/** Requests answered well, so that the run gets going. */
const GOOD = 60;
const PIECE = Buffer.alloc(64 * 1024, ' ');
const HUGE_PIECES = 800;
const SCRIPT = '<script>alert(1)</script>"><img src=x onerror=alert(1)></template>\u202e\u2028';

const list = (name: string) => ({ SearchResult: { total: 1, resources: [{ id: name, name, description: name }] } });

type Answer = Parameters<typeof stubTarget>[0];

/** User name and password of a request, as a target sees them. */
const loginOf = ({ headers }: Parameters<Answer>[0]) =>
  Buffer.from(headers.authorization?.split(' ')[1] ?? '', 'base64').toString();

/** Sends pieces as fast as they are read: so many, or without end. */
function flood(response: Parameters<Answer>[1], pieces: number): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  let left = pieces;
  const send = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      if (!response.write(PIECE)) return void response.once('drain', send);
    }
    if (left <= 0) response.end();
  };
  send();
}

const HOSTILE: readonly Answer[] = [
  (_request, response) => json(response, 200, list(SCRIPT)),
  ({ headers }, response) => json(response, 400, { ERSResponse: { messages: [{ title: headers.authorization }] } }),
  (request, response) => {
    const login = loginOf(request);
    json(response, 200, list(`${login} ${encodeURIComponent(login)}`), { 'X-Echo': encodeURIComponent(login) });
  },
  (_request, response) => flood(response, HUGE_PIECES),
  ({ url }, response) => json(response, 302, undefined, { Location: url }),
  (_request, response) =>
    json(
      response,
      200,
      {},
      Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`X-Flood-${n}`, 'x'.repeat(400)])),
    ),
  (_request, response) => flood(response, Number.POSITIVE_INFINITY),
  ({ url }, response) =>
    json(response, 200, { SearchResult: { total: 9, resources: [], nextPage: { href: `${url}&x=${Math.random()}` } } }),
  () => undefined,
];

/** A target that answers well at first, and then with whatever could hurt who reads it, one after the other. */
export function hostileTarget(): Promise<StubTarget> {
  let count = 0;
  return stubTarget((request, response, raw) => {
    count += 1;
    if (count > GOOD) return HOSTILE[count % HOSTILE.length]?.(request, response, raw);
    if (request.url.endsWith('/versioninfo')) {
      return json(response, 200, { VersionInfo: { currentServerVersion: '1.0', supportedVersions: '1.0' } });
    }
    json(response, request.method === 'POST' ? 400 : 200, list(`${SCRIPT}${count}${loginOf(request)}`));
  });
}
