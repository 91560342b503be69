import { OPS } from '../../contract/operations.ts';
import type { ErsClient, Exchange } from '../types.ts';

const TRIES = 4;

async function steadily(send: () => Promise<Exchange>): Promise<Exchange> {
  for (let tries = 1; ; tries += 1) {
    const answer = await send();
    if (answer.status < 500 || tries === TRIES) return answer;
  }
}

/**
 * A client that repeats a GET that was answered with a server fault, for looking at what is on the target: a fault in
 * one answer must not hide what the others show. Never for judging the answers themselves.
 */
export function steadyReads(client: ErsClient): ErsClient {
  return {
    ...client,
    send: (family, op, input) =>
      OPS[op].mutates ? client.send(family, op, input) : steadily(() => client.send(family, op, input)),
    follow: (family, href, headers) => steadily(() => client.follow(family, href, headers)),
    view: (options) => steadyReads(client.view(options)),
  };
}
