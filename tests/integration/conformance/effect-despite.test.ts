import { expect, it } from 'vitest';
import { pairChecks } from '../../../conformance/checks/pairs.ts';
import { runBehind } from '../../helpers/reference-run.ts';

it('a create that is answered 500 and makes its record is the one thing that fails', async () => {
  let creates = 0;
  const says = ({ method }: { readonly method: string }, status: number) => {
    if (method !== 'POST' || status !== 201) return status;
    creates += 1;
    return creates % 7 === 0 ? 500 : status;
  };
  const options = { mode: 'own-data', seed: 1, visibilityMs: 60, depth: 'quick', families: ['sgt'] } as const;
  const run = await runBehind({ says }, options, { catalog: pairChecks });
  const failed = run.written.filter(({ verdict }) => verdict === 'fail');
  expect(failed.map(({ failure, observed }) => ({ ...failure, observed }))).toMatchObject([
    {
      ...{ kind: 'no-effect', operation: 'create', subject: 'refusal status' },
      observed: expect.stringMatching(/^POST .* answered 500.*, and the record /),
    },
  ]);
});
