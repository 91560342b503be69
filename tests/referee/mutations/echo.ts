import { jsonIn, withHeader, withJson } from '../exchange.ts';
import { answering, isAnything, isGet, type Mutation, pick } from './mutation.ts';

/** Puts the text where a target may echo it: all texts of a member, or an error message. */
function inside(value: unknown, key: string, text: string): unknown {
  if (Array.isArray(value)) return value.map((item) => inside(item, key, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [
      name,
      name === key && typeof held === 'string' ? text + held : inside(held, key, text),
    ]),
  );
}

const member = (key: string): Mutation => ({
  id: `echo/${key}`,
  on: isGet,
  answer: (given, _asked, { random, echo }) => {
    const json = jsonIn(given);
    return json === undefined ? undefined : withJson(given, inside(json, key, echo(random)));
  },
});

/** The login that comes back, written in some way. */
export const ECHO: readonly Mutation[] = [
  member('name'),
  member('description'),
  member('id'),
  member('href'),
  member('policyName'),
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
