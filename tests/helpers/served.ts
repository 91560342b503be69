import { afterAll, beforeAll } from 'vitest';
import { type ServedDeployment, serveCli } from './cli.ts';

/** A deployment for the tests of a file or a group, started as `serveCli` does before the first of them and closed after the last. */
export function servedOfTests(...given: Parameters<typeof serveCli>): ServedDeployment {
  const served = {} as ServedDeployment;
  beforeAll(async () => {
    Object.assign(served, await serveCli(...given));
  });
  afterAll(() => served.close());
  return served;
}
