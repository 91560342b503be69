import { describe, expect, it, onTestFinished } from 'vitest';
import { gapChecks } from '../../../conformance/checks/gaps.ts';
import type { Check } from '../../../conformance/kit/check.ts';
import { CheckFailure } from '../../../conformance/kit/fault.ts';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { TargetError } from '../../../lib/errors.ts';
import { aCheck } from '../../helpers/a-check.ts';
import { runAgainst } from '../../helpers/conformance-run.ts';
import { startTinyTarget, type TinyLie, type TinyTarget } from '../../helpers/tiny-target.ts';

const failure = (observed: string) =>
  new CheckFailure({ expected: 'a', observed, about: { kind: 'value', operation: 'read', subject: 'record' } });

async function tiny(answer?: TinyLie): Promise<TinyTarget> {
  const target = await startTinyTarget(FAMILIES, answer);
  onTestFinished(target.close);
  return target;
}

const HTML = { 'Content-Type': 'text/html' };
/** Areas whose checks send more than creates: those are all blocked by the first one. */
const ANSWERABLE = ['version/', 'list/', 'filter/operator', 'headers/', 'paths/', 'query/', 'schema/'];

const options = { mode: 'own-data' as const, seed: 1, families: ['sgt'], visibilityMs: 100 };

describe('the conformance runner', () => {
  it('removes what a check made, whether the check held or not, and says what it does meanwhile', async () => {
    const { baseUrl, records, requests } = await tiny();
    const catalog = [
      aCheck('t/throws', async (context) => {
        await context.fixture();
        await context.fixture();
        throw new Error('a fault of ours');
      }),
    ];
    const phases: string[] = [];
    const run = await runAgainst({ baseUrl, catalog, onPhase: (doing) => phases.push(doing) }, options);
    expect(run.written).toMatchObject([{ verdict: 'error', reason: 'a fault of ours' }]);
    expect(run.faults).toHaveLength(1);
    expect(records('sgt')).toEqual([]);
    expect(requests.filter(({ method }) => method === 'DELETE').length).toBeGreaterThanOrEqual(2);
    expect(run.cleanup).toMatchObject({ residue: [], fingerprint: { equal: true } });
    expect(phases).toEqual([
      ...['asking which families are served', 'looking what is there', 'first writes, sgt'],
      ...['asking what the specification leaves open', 'removing what the run made'],
    ]);
  });

  it('blocks what does not hold either if a check that it depends on failed, and names the check at the root', async () => {
    const { baseUrl } = await tiny();
    const seen = async (context: Parameters<Check['run']>[0]) => void context.witness('seen') as undefined;
    const fails = async () => Promise.reject(failure('b'));
    const catalog = [
      aCheck('t/root', fails),
      aCheck('t/middle', seen, { dependsOn: ['t/root'] }),
      aCheck('t/same', fails, { dependsOn: ['t/root'] }),
      aCheck('t/leaf', fails, { dependsOn: ['t/middle'] }),
      aCheck('t/on-middle', seen, { dependsOn: ['t/middle'], restsOn: ['t/middle'] }),
      aCheck('t/on-root', seen, { dependsOn: ['t/root'], restsOn: ['t/root'] }),
      aCheck('t/free', fails),
    ];
    const { written } = await runAgainst({ baseUrl, catalog }, options);
    expect(written.map(({ checkId, verdict, blockedBy }) => [checkId, verdict, blockedBy])).toEqual([
      ['t/root', 'fail', undefined],
      ['t/middle', 'pass', undefined],
      ['t/same', 'blocked', 't/root|sgt'],
      ['t/leaf', 'blocked', 't/root|sgt'],
      ['t/on-middle', 'pass', undefined],
      ['t/on-root', 'blocked', 't/root|sgt'],
      ['t/free', 'fail', undefined],
    ]);
    expect(written[2]?.observations).toEqual({ 'seen all the same': 'expected a; observed b' });
    expect(written[5]?.observations).toBeUndefined();
  });

  it('tries a failure again on fixtures and shared resources of its own, under the same journal, and leaves nothing', async () => {
    const { baseUrl, records } = await tiny();
    const [own, common]: [string[], string[]] = [[], []];
    const catalog = [
      aCheck('t/flaky', async (context) => {
        own.push((await context.fixture()).id);
        common.push((await context.run.shared('one', (scope) => scope.fixture())).id);
        context.witness('there');
        if (own.length === 1) throw failure('b');
        // What the first try made is gone before the second begins.
        if (records('sgt').length !== 2) throw failure(String(records('sgt').length));
        return undefined;
      }),
      aCheck('t/leaf', async () => Promise.reject(failure('b')), { dependsOn: ['t/flaky'] }),
    ];
    const run = await runAgainst({ baseUrl, catalog }, { ...options, retry: true });
    expect(run.written).toMatchObject([
      { checkId: 't/flaky', verdict: 'fail', flaky: true, retry: { verdict: 'pass' } },
      { checkId: 't/leaf', verdict: 'blocked', blockedBy: 't/flaky|sgt' },
    ]);
    expect(new Set([...own, ...common]).size).toBe(4);
    const journaled = run.journal.filter(({ event }) => event === 'created').map(({ id }) => id);
    expect(journaled).toEqual(expect.arrayContaining([...own, ...common]));
    expect([records('sgt'), run.cleanup]).toMatchObject([[], { residue: [], fingerprint: { equal: true } }]);
    const shown = new Set(run.exchanges.map(({ id }) => id));
    const { evidence = [], retry } = run.written[0] ?? {};
    expect([...evidence, ...(retry?.evidence ?? [])].every((id) => shown.has(id))).toBe(true);
    expect(retry?.evidence.length).toBeGreaterThan(0);
  });

  it('makes no record without a name where creates leave out the description that would tell it apart', async () => {
    const { baseUrl, records } = await tiny(({ method, body }) =>
      method === 'POST' && body.includes('description') ? { status: 400 } : undefined,
    );
    const catalog = gapChecks.filter(({ id }) => id === 'gap/required-fields');
    const run = await runAgainst({ baseUrl, catalog }, { ...options, families: ['portaltheme'] });
    expect(run.written[0]?.observations).toHaveProperty('without themeData');
    expect([records('portaltheme'), run.cleanup.residue]).toEqual([[], []]);
  });

  it('tries nothing again on a target that keeps what the first tries made', async () => {
    let tries = 0;
    const { baseUrl, records } = await tiny(({ method }) =>
      method === 'DELETE' && tries > 0 ? { status: 405 } : undefined,
    );
    const catalog = [
      aCheck('t/fails', async (context) => {
        tries += 1;
        await context.fixture();
        throw failure('b');
      }),
    ];
    const run = await runAgainst({ baseUrl, catalog }, { ...options, retry: true });
    expect(tries).toBe(1);
    expect(run.written[0]?.retry?.skipped).toBe('1 record of the first tries could not be removed');
    expect(run.cleanup.residue).toHaveLength(records('sgt').length);
  });

  it('tries nothing again unless it is told to', async () => {
    const { baseUrl } = await tiny();
    let tries = 0;
    const catalog = [aCheck('t/fails', async () => Promise.reject(failure(String(++tries))))];
    const { written } = await runAgainst({ baseUrl, catalog }, options);
    expect(tries).toBe(1);
    expect(written[0]).not.toHaveProperty('retry');
  });

  it('says of checks beyond the mode that they are not testable in it, and sends nothing for them', async () => {
    const { baseUrl, requests } = await tiny();
    const run = await runAgainst({ baseUrl }, { ...options, mode: 'read-only' });
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    const writes = run.written.filter(({ checkId }) => checkId === 'record/create');
    expect(writes).toMatchObject([{ verdict: 'not-testable', needs: '--mode own-data' }]);
    expect(run.written).toContainEqual(expect.objectContaining({ checkId: 'operation/steady', verdict: 'pass' }));
  });

  it('gives the results in the order of the plan, the same for the same seed', async () => {
    const { baseUrl } = await tiny();
    const all = {
      ...options,
      seed: 3,
      families: ['sgt', 'sxpvpns'],
      checks: ['record/create', 'record/read', 'version/'],
    };
    const first = await runAgainst({ baseUrl }, all);
    const second = await runAgainst({ baseUrl }, all);
    const keys = (run: typeof first) =>
      run.written.map(({ checkId, family, variant, verdict }) => [checkId, family, variant, verdict]);
    expect(keys(second)).toEqual(keys(first));
    expect(first.written.map(({ checkId, family, variant }) => [checkId, family, variant].join('|'))).toEqual(
      first.plan.entries.map(({ check: { id }, family, variant }) => [id, family, variant?.name].join('|')),
    );
  });

  it('stops where it is told to, removes what it made, and proves nothing that it did not see', async () => {
    const { baseUrl, records } = await tiny();
    const abort = new AbortController();
    const run = await runAgainst(
      { baseUrl, signal: abort.signal, onResult: () => abort.abort(new Error('interrupted')) },
      { ...options, checks: ['record/'] },
    );
    expect(records('sgt')).toEqual([]);
    expect(run.cleanup.residue).toEqual([]);
    expect(run.written.length).toBe(run.plan.entries.length);
    expect(run.written.slice(1).filter(({ verdict }) => verdict !== 'inconclusive')).toEqual([]);
  });
});

describe('a target that cannot be tested', () => {
  it.each([
    ['answers 404 to everything', { status: 404 }],
    ['answers 401 to everything', { status: 401 }],
    ['answers 500 to everything', { status: 500, body: 'broken' }],
    ['answers with a login page', { status: 200, body: '<html>login</html>', headers: HTML }],
  ])('ends in a fault of the target when it %s', async (_what, answer) => {
    const { baseUrl } = await tiny(() => answer);
    await expect(runAgainst({ baseUrl }, { ...options, mode: 'full' })).rejects.toBeInstanceOf(TargetError);
  });

  it.each([
    ['answers {} to everything', () => ({ status: 200, body: {} })],
    [
      'answers one list to everything',
      () => ({ status: 200, body: { SearchResult: { total: 1, resources: [{ id: 'a', name: 'b' }] } } }),
    ],
    ['echoes', ({ body }: { body: string }) => ({ status: 200, body: body === '' ? {} : body })],
  ])('proves nothing when it %s', async (_what, answer) => {
    const { baseUrl } = await tiny(answer);
    const { written } = await runAgainst({ baseUrl }, { ...options, checks: ANSWERABLE, visibilityMs: 30 });
    expect(written.filter(({ verdict }) => verdict === 'pass').map(({ checkId }) => checkId)).toEqual([]);
    expect(written.length).toBeGreaterThan(60);
  });
});
