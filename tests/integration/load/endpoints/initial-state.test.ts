import { describe, expect, it } from 'vitest';
import type { LoadContext } from '../../../../load/endpoints/context.ts';
import { reachableEndpoints, readInitialState } from '../../../../load/endpoints/initial-state.ts';
import { aLoadContext, pool } from '../../../helpers/a-load-context.ts';
import type { AncStubOptions } from '../../../helpers/anc-target.ts';

const theirs = (context: LoadContext) => pool.at(reachableEndpoints(context)[0] ?? 0).macAddress;

/** What a load says of a pool of which one endpoint is somebody else's. */
async function looked(bent: AncStubOptions): Promise<string> {
  const { anc, context } = await aLoadContext(bent);
  anc.held.set(theirs(context), 'Other').set('02:00:00:00:AB:CD', 'Other');
  return readInitialState(context).then(
    () => 'goes on',
    (fault: unknown) => (fault instanceof Error ? fault.message : ''),
  );
}

describe('a load whose pool holds a policy of somebody else', () => {
  it.each<[string, AncStubOptions, RegExp]>([
    ['refuses where the list shows it', {}, /1 endpoint of the pool already holds/],
    ['refuses where the list has no end and the filter shows it', { endless: true }, /1 endpoint of the pool already/],
    ['refuses where the filter finds nothing', { endless: true, filterFinds: false }, /not to be seen/],
  ])('%s', async (_, bent, said) => {
    expect(await looked(bent)).toMatch(said);
  });
});
