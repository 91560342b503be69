import { describe, expect, it } from 'vitest';
import { checks } from '../../../conformance/catalog.ts';
import { listChecks } from '../../../conformance/checks/list/checks.ts';
import { relationChecks } from '../../../conformance/checks/list/relations.ts';
import { pairChecks } from '../../../conformance/checks/pairs.ts';
import { recordChecks } from '../../../conformance/checks/record/checks.ts';
import { readPool } from '../../../lib/client/anc/pool.ts';
import { systemClock } from '../../../lib/clock.ts';
import { ancFields } from '../../../lib/wire/anc.ts';
import type { Deviation } from '../../../reference/deviation.ts';
import { startForeignWriter } from '../../../reference/selftest/foreign-writer.ts';
import { type ReferenceServer, startReference } from '../../../reference/server.ts';
import { accused, runAgainst } from '../../helpers/conformance-run.ts';
import { quickRun, runOnReference } from '../../helpers/reference-run.ts';
import { oneIn, TAKES_ALL } from '../../helpers/sample.ts';
import { colleagueOn } from '../../helpers/target-print.ts';

const FAMILIES = ['hotspotportal', 'portal', ...(TAKES_ALL ? ['sgt'] : [])];

const beside = (server: ReferenceServer) => startForeignWriter(server, { seed: 1, perSecond: 200 }, systemClock);

/** Security groups of somebody who makes one before each list, and removes one before each later page. */
const removedBetweenPages: Deviation = {
  install: ({ seams }) => {
    let serial = 0;
    const theirs = new Set<string>();
    const add = async () => {
      serial += 1;
      const fields = { name: `theirs_${serial}`, value: 20_000 + serial, description: `theirs ${serial}` };
      theirs.add((await seams.store.create('sgt', { ...fields, propogateToApic: false })).id);
    };
    for (let at = 0; at < 85; at += 1) void add();
    const rank = ({ id }: { readonly id: string }) => (theirs.has(id) ? 0 : 1);
    return {
      query: ({ select, order }) => ({
        order: (plan) => order(plan) ?? ((a, b) => rank(a) - rank(b)),
        select: async (name, plan) => {
          const [oldest = ''] = theirs;
          if (name === 'sgt' && plan.page === 1 && theirs.size < 85) await add();
          else if (name === 'sgt' && plan.page > 1 && (await seams.store.remove(name, oldest))) theirs.delete(oldest);
          return select(name, plan);
        },
      }),
    };
  },
};

describe.concurrent('list checks while somebody else writes', () => {
  it.each(oneIn(2, ['own-data', 'read-only'] as const))('accuse nobody in %s mode', async (mode) => {
    const options = { mode, visibilityMs: 3000, families: FAMILIES, ...(TAKES_ALL && { depth: 'normal' as const }) };
    const { results } = await quickRun({}, options, listChecks, beside);
    expect(accused(results)).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(50);
  });

  it.each(oneIn(2, ['own-data', 'read-only'] as const))(
    'accuse nobody if each list is torn, in %s mode',
    async (mode) => {
      const options = { mode, visibilityMs: 3000, families: ['sgt'] };
      const { results } = await quickRun({ deviations: [removedBetweenPages] }, options, relationChecks);
      expect(accused(results)).toEqual([]);
      expect(results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(5);
    },
  );
});

/** A deployment on which somebody named groups as any program may. */
const OTHERS: Deviation = {
  install: ({ seams }) => {
    for (const [at, name] of ['Null', 'true'].entries()) seams.store.create('sgt', { name, value: 600 + at });
    return {};
  },
};

it('no create bears a short name that somebody else has, in whatever case: a target may take one for the other', async () => {
  const checks = ['record/name-alike', 'record/created-is-listed'];
  const { results, journal } = await quickRun({ deviations: [OTHERS] }, { depth: 'normal', families: ['sgt'], checks });
  const alike = results.filter(({ checkId }) => checkId === 'record/name-alike');
  const verdicts = Object.fromEntries(alike.map(({ variant, verdict }) => [variant, verdict]));
  expect(verdicts).toEqual({ number: 'pass', 'led by zeros': 'pass', truth: 'not-testable', null: 'not-testable' });
  expect(journal.filter(({ name }) => name === 'null' || name === 'true')).toEqual([]);
});

it('records of the run that an administrator renames meanwhile accuse no operation', async () => {
  const server = await startReference({ sessions: 100 });
  const credentials = { username: server.username, password: server.password };
  const { ask } = colleagueOn(server);
  let [shown, renamed] = [0, 0];
  const own = new Set<string>();
  const rename = async (id: string, name: string) => {
    const read = await ask(`sgt/${id}`);
    if (read.status !== 200) return;
    const { Sgt } = (await read.json()) as { Sgt: Record<string, unknown> };
    const { link: _, ...record } = Sgt;
    const put = await ask(`sgt/${id}`, 'PUT', { Sgt: { ...record, name } });
    if (put.ok) renamed += 1;
  };
  const busy: Promise<void>[] = [];
  try {
    const run = await runAgainst(
      {
        ...{ baseUrl: server.baseUrl, credentials, catalog: [...recordChecks, ...pairChecks] },
        onJournal: ({ event, family, id }) => {
          if (event === 'created' && family === 'sgt' && id !== undefined) own.add(id);
        },
        onExchange: ({ operation, path, status }) => {
          const id = path.split('/').at(-1) ?? '';
          if (operation !== 'read' || status !== 200 || !own.delete(id)) return;
          shown += 1;
          if (shown % 4 === 1) busy.push(rename(id, `adm${shown}`));
        },
      },
      { mode: 'own-data', seed: 1, visibilityMs: 60, depth: 'quick', families: ['sgt'], retry: true },
    );
    expect(renamed).toBeGreaterThan(10);
    expect(run.written.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    const told = run.written.filter(({ reason }) => reason?.startsWith('somebody else wrote to sgt '));
    expect(told.map(({ verdict }) => verdict)).toContain('inconclusive');
  } finally {
    await Promise.allSettled(busy);
    await server.close();
  }
});

/** A colleague who puts the policy of the run on endpoints of its pool, one after the other, and takes policies off them again. */
function colleague({ baseUrl, username, password, endpoints, policies: [policyName = ''] }: ReferenceServer) {
  const pool = readPool(endpoints);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const put = (operation: 'apply-by-mac' | 'clear-by-mac', at: number) =>
    fetch(`${baseUrl}/ers/config/ancendpoint/${operation.split('-')[0]}`, {
      method: 'PUT',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ OperationAdditionalData: ancFields(operation, { ...pool.at(at % 14), policyName }) }),
    });
  let isOn = true;
  const work = (async () => {
    for (let at = 0; isOn; at += 1) {
      await put('apply-by-mac', at);
      await put('clear-by-mac', at + 7);
      await systemClock.sleep(2);
    }
  })();
  return {
    async stop() {
      isOn = false;
      await work;
    },
  };
}

it('a target is accused of nothing that a colleague does in the pool of the run, and the reason names the pool', async () => {
  const options = { mode: 'full', seed: 1, visibilityMs: 300, depth: 'quick', families: ['ancendpoint'] } as const;
  const catalog = checks.filter(({ id }) => /^(anc|record)\//.test(id));
  const { results } = await runOnReference({}, options, catalog, colleague);
  expect(accused(results)).toEqual([]);
  const reasons = results.flatMap(({ verdict, reason = '' }) => (verdict === 'inconclusive' ? [reason] : []));
  expect(reasons.join()).toContain('somebody else writes to the pool');
});
