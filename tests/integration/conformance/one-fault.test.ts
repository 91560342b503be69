import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { defined } from '../../../lib/defined.ts';
import { changing, type Deviation, withFields } from '../../../reference/deviation.ts';
import type { BulkRequest } from '../../../reference/seams.ts';
import { answering, refuse } from '../../helpers/deviations.ts';
import { quickRun, runBehind } from '../../helpers/reference-run.ts';

const BULK = { mode: 'full', families: ['sgtvnvlan'], checks: ['survey/bulk'] } as const;

const run = async (fault: Deviation, checks?: readonly string[]) => {
  const options = { visibilityMs: 100, families: ['portaltheme'], retry: true, ...defined({ checks }) };
  const done = await quickRun({ deviations: [fault] }, options);
  const of = (verdict: string) => done.results.filter((result) => result.verdict === verdict);
  const broken = [...new Set(done.failed.map(({ requirement }) => requirement))];
  return { ...done, broken, passed: of('pass').length, blocked: of('blocked') };
};

describe('one fault of a family', () => {
  it.concurrent('leaves nothing but updates untested, if a record that was updated cannot be deleted', async () => {
    const updated = new Set<string>();
    const { broken, passed, blocked, cleanup } = await run(
      changing('store', (inner) => ({
        update: (name, id, fields) => {
          updated.add(id);
          return inner.update(name, id, fields);
        },
        remove: (name, id) => {
          if (updated.has(id)) refuse(409, 'it was updated');
          return inner.remove(name, id);
        },
      })),
    );
    expect(broken).toEqual(['OP-portaltheme-D']);
    expect(cleanup.residue).toHaveLength(1);
    expect(cleanup.residue[0]?.why).toContain('its delete was answered 409 "it was updated"');
    expect(passed).toBeGreaterThan(60);
    const told = blocked.map(({ reason, observations }) => `${reason} ${observations?.['seen all the same']}`);
    expect(told.filter((text) => !text.includes('update'))).toEqual([]);
  });

  it.concurrent('leaves creates closed and nothing behind, if no read shows what a create made', async () => {
    const made = new Set<string>();
    const { broken, cleanup, requests } = await run(
      changing('store', (inner) => ({
        create: async (name, fields) => {
          const record = await inner.create(name, fields);
          made.add(record.id);
          return record;
        },
        get: (name, id) => {
          if (made.has(id)) refuse(500, 'no such column');
          return inner.get(name, id);
        },
      })),
    );
    expect(broken.every((requirement) => /^OP-portaltheme-[CRD]$/.test(requirement))).toBe(true);
    expect(requests['POST']).toBeLessThan(20);
    expect(cleanup.residue.length).toBeLessThan(20);
  });

  it.concurrent('leaves lists tested, if a record without a text cannot be read', async () => {
    const { broken, results } = await run(
      changing('store', (inner) => ({
        get: (name, id) => {
          const record = inner.get(name, id);
          if (name === 'portaltheme' && record?.['description'] === '') refuse(500, 'null');
          return record;
        },
      })),
      ['record/', 'filter/', 'survey/reads', 'survey/filters'],
    );
    expect(broken).toEqual(['OP-portaltheme-R']);
    const filters = results.filter(({ checkId }) => checkId === 'filter/operator');
    expect(filters.filter(({ verdict }) => verdict === 'blocked')).toEqual([]);
    expect(filters.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(5);
  });

  it.concurrent('is no chance failure, if it refuses a filter each time', async () => {
    const { failed } = await run(
      answering((answer, { query }) =>
        /filter=name\.CONTAINS\./.test(query) ? { status: 400, headers: {}, body: '' } : answer,
      ),
      ['filter/', 'survey/filters'],
    );
    expect(failed.flatMap(({ retry }) => retry?.verdict ?? [])).toContain('fail');
    expect(failed.filter(({ flaky }) => flaky)).toEqual([]);
  });

  it.concurrent('is told by the deletes that run at the same time, if only one of them is done', async () => {
    let isBusy = false;
    const { failed, cleanup } = await run(
      changing('front', (inner) => ({
        handle: async (call) => {
          if (call.request.method !== 'DELETE') return inner.handle(call);
          if (isBusy) return { status: 204, headers: {}, body: '' };
          isBusy = true;
          await setTimeout(20);
          isBusy = false;
          return inner.handle(call);
        },
      })),
      ['concurrency/parallel-creates'],
    );
    const [found] = failed;
    expect(found).toMatchObject({ checkId: 'concurrency/parallel-creates', failure: { operation: 'delete' } });
    expect(found?.onlyIf).toContain('the requests are sent at the same time');
    expect(cleanup.residue).toEqual([]);
  });

  it.concurrent('is no matter of requests at one time if it shows in one after the other', async () => {
    const other = withFields((_kind, _name, fields) => ({ ...fields, description: 'other' }));
    const { failed } = await run(changing('store', other), ['concurrency/parallel-contents']);
    expect(failed.map(({ failure }) => failure?.subject)).toEqual(['member description']);
  });

  it.concurrent('is told by the monitor that knows a bulk request once, and not again', async () => {
    const asked = new Set<string>();
    const once = answering((answer, { method, path }) => {
      const isMonitor = method === 'GET' && /\/bulk\/[^/]+$/.test(path);
      if (isMonitor && asked.has(path)) return { status: 404, headers: {}, body: '' };
      if (isMonitor) asked.add(path);
      return answer;
    });
    const { failed } = await quickRun({ deviations: [once] }, BULK);
    expect(failed[0]).toMatchObject({ onlyIf: 'the monitor knew it before' });
  });

  it.concurrent('is told by a bulk request that counts its items, does none of them, and says of none that it failed', async () => {
    const asked = new Map<string, BulkRequest>();
    const idle = changing('bulk', (inner) => ({
      submit: (name, request) => {
        const id = inner.submit(name, { ...request, resources: [], ids: [] });
        asked.set(id, request);
        return id;
      },
      monitor: (name, id) => {
        const [state, request] = [inner.monitor(name, id), asked.get(id)];
        return state && request && { ...state, request };
      },
    }));
    const { failed } = await quickRun({ deviations: [idle] }, BULK);
    expect(failed[0]?.failure).toMatchObject({ kind: 'no-effect', operation: 'bulkSubmit', subject: 'bulk records' });
  });

  it.concurrent('is told by the update that makes a record of one that is gone, and leaves nothing behind', async () => {
    const upsert = changing('front', (inner, { seams }) => ({
      handle: async (call) => {
        if (call.request.method !== 'PUT') return inner.handle(call);
        const body = await call.request.body();
        const request = { ...call.request, body: async () => body };
        const answer = await inner.handle({ ...call, request });
        if (answer.status !== 404) return answer;
        const route = seams.routing.routes.find(({ method, family }) => method === 'POST' && family === 'portaltheme');
        return inner.handle({ ...defined({ route }), params: {}, request: { ...request, method: 'POST' } });
      },
    }));
    const { broken, cleanup } = await run(upsert, ['operation/', 'record/', 'negative/', 'survey/']);
    expect(broken).toEqual(['CNV-VERB']);
    expect(cleanup.residue).toEqual([]);
  });
});

it('bulk requests are tried in sequences in a full run that was given no endpoints', async () => {
  const { results } = await runBehind({}, { ...BULK, families: ['sxpvpns'] });
  expect(results.find(({ checkId }) => checkId === 'survey/bulk')).toMatchObject({ verdict: 'pass' });
});
