import { jsonIn, withHeader, withJson } from '../exchange.ts';
import { answering, isAnything, isGet, type Mutation, pick, texts } from './mutation.ts';

/** Puts the login where a target may echo it: in all texts of a member. */
const member = (key: string): Mutation => ({
  id: `echo/${key}`,
  on: isGet,
  answer: (given, _asked, { random, echo }) => {
    const json = jsonIn(given);
    if (json === undefined) return undefined;
    const text = echo(random);
    const echoing = (held: string, name: string) => (name === key ? text + held : held);
    return withJson(given, texts(json, echoing));
  },
});

/** The login that comes back, written in some way. */
export const ECHO: readonly Mutation[] = [
  ...['name', 'description', 'id', 'href', 'policyName'].map(member),
  answering('echo/headers', isAnything, (given, _asked, { random, echo }) =>
    // A header holds visible ASCII only.
    withHeader(
      given,
      pick(random, ['x-echo', 'location', 'content-type', 'server', 'www-authenticate']),
      echo(random).replace(/[^\x20-\x7e]/g, ''),
    ),
  ),
  answering('echo/error', isAnything, (given, _asked, { random, echo }) =>
    withJson(
      { ...given, status: pick(random, [400, 403, 500]) },
      { ERSResponse: { messages: [{ title: `bad login: ${echo(random)}`, type: 'ERROR' }] } },
    ),
  ),
  answering('echo/body', isGet, (given, _asked, { random, echo }) => ({
    ...given,
    body: Buffer.from(`${'x'.repeat(pick(random, [0, 150, 190, 480, 495]))}${echo(random)}`),
  })),
];
