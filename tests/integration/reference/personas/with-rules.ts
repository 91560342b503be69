import { type Ask, type Reply, type Served, serveOne } from '../ask.ts';

/** A deployment with these personas and rules, closed after the test. */
export const withRules = (...personas: readonly string[]): Promise<Served> => serveOne({ personas });

/** Body of a create of a security group. */
export function group(name: string, value = 4000, more: object = {}): unknown {
  return { Sgt: { name, value, ...more } };
}

/** Status and title of a refusal. */
export function refused(reply: Reply): readonly [number, string] {
  return [reply.status, reply.json().ERSResponse?.messages[0].title];
}

/** Names in a list of a family. */
export async function names(ask: Ask, family: string): Promise<readonly (string | undefined)[]> {
  const { resources } = (await ask('GET', `${family}?size=100`)).json().SearchResult;
  return (resources as readonly { name?: string }[]).map(({ name }) => name);
}
