import { afterAll, beforeAll } from 'vitest';
import { type ReferenceOptions, startReference } from '../../reference/server.ts';
import { serveCli } from './cli.ts';

/** Something that the tests of a file or a group share: made before the first of them, and closed after the last. */
export function ofTests<T extends object>(make: () => Promise<T>, timeoutMs?: number): T {
  const made = {} as T & { readonly close?: () => unknown };
  beforeAll(async () => void Object.assign(made, await make()), timeoutMs);
  afterAll(() => made.close?.());
  return made;
}

/** A deployment that is started as `serveCli` does. */
export const servedOfTests = (...given: Parameters<typeof serveCli>) => ofTests(() => serveCli(...given));

/** A deployment in this process, with the login for `runCli`. */
export const referenceOfTests = (options: ReferenceOptions) =>
  ofTests(async () => {
    const server = await startReference(options);
    return { ...server, env: { ERS_USERNAME: server.username, ERS_PASSWORD: server.password } };
  });
