import { expect, it } from 'vitest';
import { checks } from '../../../conformance/catalog.ts';
import { operationChecks } from '../../../conformance/checks/operations.ts';
import { pairChecks } from '../../../conformance/checks/pairs.ts';
import { readPool } from '../../../lib/client/anc/pool.ts';
import { changing } from '../../../reference/deviation.ts';
import { delayedEndpoints } from '../../../reference/variations/behavior.ts';
import { refuse } from '../../helpers/deviations.ts';
import { quickRun, runBehind } from '../../helpers/reference-run.ts';

const addressIn = (body: string, name: string) => new RegExp(`"${name}","value":"([^"]+)"`).exec(body)?.[1];

const policies = ['HARNESS_QUARANTINE'];
const pool = readPool('02:00:00:00:00:00+200@10.0.0.0');
const anc = pairChecks.filter(({ id }) => id === 'survey/anc');
const ofAnc = { mode: 'full', families: ['ancendpoint'] } as const;
const NOTHING = [['pass', undefined]];

it('a policy that a clear leaves on an endpoint is told of the clear, with what was done before it', async () => {
  const byIp = new Set<string>();
  /** Takes the first clear of an endpoint that was applied by its IP address, and does nothing. */
  const refuses = ({ path, body }: { readonly path: string; readonly body: string }) => {
    const [ip, mac] = [addressIn(body, 'ipAddress'), addressIn(body, 'macAddress')];
    if (path.endsWith('/apply') && ip !== undefined) byIp.add(pool.at(pool.indexOf(ip) ?? 0).macAddress);
    return path.endsWith('/clear') && byIp.delete(mac ?? '') ? 204 : undefined;
  };
  const { failed } = await runBehind({ refuses }, { mode: 'full' }, { catalog: anc, pool, policies });
  expect(failed).toMatchObject([
    {
      failure: { kind: 'no-effect', operation: 'clear', subject: 'record' },
      expected: expect.stringMatching(/^02:00:00:00:00:\S\S to be cleared$/),
      onlyIf: 'the policy was applied by IP address',
    },
  ]);
});

it('a target that puts a policy on no endpoint that holds one has done no wrong', async () => {
  const once = changing('anc', (inner, { seams }) => ({
    ...inner,
    apply: (targets) =>
      targets.some(({ macAddress }) => seams.store.find('ancendpoint', 'macAddress', macAddress?.toUpperCase()))
        ? refuse(409, 'it holds a policy')
        : inner.apply(targets),
  }));
  const { written } = await quickRun({ deviations: [once] }, { mode: 'full' }, anc);
  expect(written.map(({ verdict, observed }) => [verdict, observed])).toEqual(NOTHING);
});

it.each([
  ['taken may give its record another id', false, []],
  ['refused leaves the record as it was', true, ['SPC-ANC records list']],
])('an apply of the policy that the endpoint holds and that is %s', async (_, isRefused, told) => {
  const anew = changing('anc', (inner, { seams: { store } }) => ({
    ...inner,
    apply: async (targets) => {
      const [{ macAddress = '', policyName } = {}, ...more] = targets;
      const held = store.find('ancendpoint', 'macAddress', macAddress.toUpperCase());
      if (more.length > 0 || held?.['policyName'] !== policyName) return inner.apply(targets);
      const { id = '', ...members } = held ?? {};
      await store.remove('ancendpoint', id);
      await store.create('ancendpoint', members);
      if (isRefused) refuse(400, 'it holds the policy');
    },
  }));
  const catalog = pairChecks.filter(({ id }) => id.startsWith('survey/'));
  const { failed } = await quickRun({ deviations: [anew] }, ofAnc, catalog);
  expect(failed.map(({ requirement, failure }) => `${requirement} ${failure?.kind} ${failure?.operation}`)).toEqual(
    told,
  );
});

it('a target that refuses every apply in words about something else is told so, and its other families are tested', async () => {
  const refuses = ({ path }: { readonly path: string }) =>
    path.endsWith('/apply') ? { status: 400, words: 'invalid request' } : undefined;
  const more = { catalog: operationChecks, pool, policies };
  const { failed, written, faults } = await runBehind(
    { refuses },
    { ...ofAnc, families: ['ancendpoint', 'sgt'] },
    more,
  );
  expect(faults).toEqual([]);
  expect(failed.map(({ family, variant }) => [family, variant])).toEqual([['ancendpoint', 'apply']]);
  expect(written.some(({ family, verdict }) => family === 'sgt' && verdict === 'pass')).toBe(true);
});

it.each([[['WRONG']], [['HARNESS_QUARANTINE', 'WRONG']]])(
  'a policy that is not there ends a run before a record is made, and accuses nobody: %j',
  async (named) => {
    const more = { catalog: checks, pool, policies: named };
    const { written, faults, cleanup, passed } = await runBehind({}, { mode: 'full' }, more);
    expect(written).toEqual([]);
    const message = expect.stringMatching(/^applying "WRONG" to 02:.* 400 .*there is no policy/);
    expect(faults).toMatchObject([{ code: 'anc-refused', kind: 'target', message }]);
    expect(passed.filter(({ method }) => method === 'POST')).toEqual([]);
    expect(cleanup.residue).toEqual([]);
  },
);

it('a pool that is too small for rows leaves their checks to others, and ends none of them in an error', async () => {
  const more = { catalog: checks, pool: readPool('02:00:00:00:00:00+16@10.0.0.0'), policies };
  const { written } = await runBehind({}, ofAnc, more);
  expect(written.filter(({ verdict }) => verdict === 'error' || verdict === 'fail')).toEqual([]);
  expect(written.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(50);
  const pairs = written.find(({ checkId }) => checkId === 'survey/anc');
  expect([pairs?.verdict, pairs?.needs]).toEqual(['not-testable', '--mode full with a pool of at least 96 endpoints']);
});

it('a target that reads the last of several endpoints alone, and lists late, is accused of nothing', async () => {
  const last = changing('anc', (inner) => ({
    ...inner,
    apply: (targets) => inner.apply(targets.slice(-1)),
    clear: (targets) => inner.clear(targets.slice(-1)),
  }));
  const deviations = [last, { install: delayedEndpoints }];
  const { written } = await quickRun({ deviations }, { mode: 'full', visibilityMs: 2000 }, anc);
  expect(written.map(({ verdict, observed }) => [verdict, observed])).toEqual(NOTHING);
});

it('a pool that names the IP addresses of other endpoints puts a policy on one of them, and accuses nobody', async () => {
  const more = { catalog: checks, pool: readPool('02:aa:00:00:00:00+200@10.0.0.0'), policies };
  const { written, cleanup } = await runBehind({}, ofAnc, more);
  expect(written.filter(({ verdict }) => verdict === 'error' || verdict === 'fail')).toEqual([]);
  expect(written.find(({ variant }) => variant === 'apply-by-ip')?.reason).toMatch(
    /^the pool names IP addresses of other endpoints: 10\.0\.0\.100 is that of 02:00:00:00:00:64$/i,
  );
  expect([cleanup.residue, cleanup.leftAlone?.length]).toEqual([[], 1]);
});
