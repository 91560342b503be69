import { describe, expect, it } from 'vitest';
import type { ConformanceOptions } from '../../../conformance/engine/run.ts';
import { changing, type Deviation } from '../../../reference/deviation.ts';
import { allOf } from '../../../reference/store/store.ts';
import { delayedVisibility } from '../../../reference/variations/behavior.ts';
import { accused } from '../../helpers/conformance-run.ts';
import { answering, oneAtATime, refuse } from '../../helpers/deviations.ts';
import { quickRun } from '../../helpers/reference-run.ts';

const foundOn = async (deviation: Deviation, family: string, given: Partial<ConformanceOptions>) =>
  (await quickRun({ deviations: [deviation] }, { families: [family], ...given })).results;

/** Fails at a write that comes during another one. */
const DEADLOCK = { status: 500, headers: {}, body: 'deadlock' };

it('a write that fails only beside another one is told so, and nothing else is said of it', async () => {
  const results = await foundOn(oneAtATime(DEADLOCK, 10), 'sgt', { checks: ['concurrency/', 'survey/'] });
  const failed = results.filter(({ verdict }) => verdict === 'fail');
  expect(failed.map(({ checkId }) => checkId)).toContain('concurrency/parallel-creates');
  expect(failed.map(({ onlyIf }) => onlyIf)).toEqual(failed.map(() => 'the requests are sent at the same time'));
});

it('checks of a target that is slow and fails at writes at one time run one after the other', async () => {
  const checks = ['operation/write', 'record/create-fields', 'headers/optional-on-writes'];
  expect(accused(await foundOn(oneAtATime(DEADLOCK, 150), 'portaltheme', { checks }))).toEqual([]);
});

it('what a read shows nothing of is gone: nothing is said to be left', async () => {
  const front = answering((answer, { method, path }) =>
    method === 'GET' && answer.status === 404 && !path.includes('/bulk/')
      ? { status: 200, headers: { 'Content-Type': 'application/json' }, body: '{"Sgt":null}' }
      : answer,
  );
  const options = { mode: 'full', depth: 'normal', families: ['sgt'], checks: ['bulk/'] } as const;
  const { results, cleanup } = await quickRun({ deviations: [front] }, options);
  expect([accused(results), cleanup.residue]).toEqual([[], []]);
});

it('what a bulk request removed is gone if no list shows it, on a target that answers each error with 400', async () => {
  const options = { mode: 'full', families: ['sxpvpns'], checks: ['bulk/', 'survey/bulk'] } as const;
  const { cleanup } = await quickRun({ variations: ['V15'] }, options);
  expect([cleanup.created > 0, cleanup.residue]).toEqual([true, []]);
});

describe('nobody is accused', () => {
  it('if a gateway answers a delete in passing', async () => {
    let deletes = 0;
    const front = answering((answer, { method }) => {
      if (method === 'DELETE') deletes += 1;
      return method === 'DELETE' && deletes % 5 === 0 ? { status: 503, headers: {}, body: 'busy' } : answer;
    });
    const results = await foundOn(front, 'portaltheme', { checks: ['record/delete', 'operation/write'], retry: true });
    expect(accused(results)).toEqual([]);
    expect(results.flatMap(({ observations }) => observations?.['first try'] ?? [])).toMatchObject([
      /answered 503 "busy"$/,
    ]);
  });

  it('if XML shows truth values as 0 and 1', async () => {
    const front = answering((answer) => {
      const { 'Content-Length': _, ...headers } = answer.headers;
      const body = String(answer.body);
      if (!body.startsWith('<?xml')) return answer;
      return { ...answer, headers, body: body.replaceAll('>true<', '>1<').replaceAll('>false<', '>0<') };
    });
    expect(accused(await foundOn(front, 'sgt', { checks: ['xml/', 'survey/'] }))).toEqual([]);
  });

  it('if applies and clears are done a while after their answers, and others before that are refused', async () => {
    const late = changing('anc', (inner, { wait, seams }) => {
      const later = (work: () => unknown) =>
        void wait(300)
          .then(work)
          .catch(() => undefined);
      const isHeld = (address = '') =>
        allOf(seams.store.list('ancendpoint')).some((record) => record['macAddress'] === address.toUpperCase());
      return {
        apply: (targets) => {
          if (targets.some(({ macAddress }) => isHeld(macAddress))) refuse(400, 'it has a policy');
          later(() => inner.apply(targets));
        },
        clear: (targets) => {
          if (!targets.every(({ macAddress }) => isHeld(macAddress))) refuse(400, 'no policy');
          later(() => inner.clear(targets));
        },
      };
    });
    const checks = ['survey/anc'];
    expect(accused(await foundOn(late, 'ancendpoint', { mode: 'full', visibilityMs: 2000, checks }))).toEqual([]);
  });

  it('if somebody else renames all records of a family whenever the run makes one that a view shows', async () => {
    let renames = 0;
    const renaming = changing('store', (inner) => ({
      create: (name, fields) => {
        for (const { id, ...record } of name === 'hotspotportal' ? allOf(inner.list(name)) : [])
          if (!String(record['name']).startsWith('cfm'))
            inner.update(name, id, { ...record, name: `other ${renames++}` });
        return inner.create(name, fields);
      },
    }));
    const families = ['portal', 'hotspotportal'];
    const { results } = await quickRun({ deviations: [renaming] }, { families, checks: ['view/'] });
    expect(accused(results)).toEqual([]);
    expect(renames).toBeGreaterThan(10);
  });

  it('if a list begins with records that were removed just now', async () => {
    const gone = Array.from({ length: 5 }, (_, n) => ({ id: `gone-${n}`, name: `gone ${n}` }));
    let isLate = false;
    const front = answering((answer, { method, path }) => {
      isLate ||= method === 'POST';
      if (!isLate || method !== 'GET' || path !== '/ers/config/portaltheme') return answer;
      isLate = false;
      const { 'Content-Length': _, ...headers } = answer.headers;
      return { ...answer, headers, body: String(answer.body).replace('[', `${JSON.stringify(gone).slice(0, -1)},`) };
    });
    const results = await foundOn(front, 'portaltheme', { checks: ['record/read-listed'] });
    expect(results.map(({ verdict }) => verdict)).toEqual(['pass']);
  });

  it('if a list shows endpoints that were cleared just now', async () => {
    let shown = '';
    let untilMs = 0;
    const front = answering((answer, { method, path }) => {
      if (method === 'PUT' && path.endsWith('/clear')) untilMs = performance.now() + 300;
      if (method !== 'GET' || path !== '/ers/config/ancendpoint') return answer;
      if (performance.now() > untilMs || shown === '') shown = String(answer.body);
      const { 'Content-Length': _, ...headers } = answer.headers;
      return { ...answer, headers, body: shown };
    });
    const alone: Deviation = { ...front, seeds: (name, rows) => (name === 'ancendpoint' ? [] : rows) };
    const checks = ['record/read-listed', 'operation/anc'];
    expect(accused(await foundOn(alone, 'ancendpoint', { mode: 'full', visibilityMs: 2000, checks }))).toEqual([]);
  });
});

const CHECKS = ['record/update', 'record/rename', 'record/delete', 'record/create-fields'];
const GOOD = ['pass', 'info', 'not-applicable', 'not-testable'];

it('a sound deployment that shows its writes late is tested with all of its writes, and accused of nothing', async () => {
  const install: Deviation['install'] = (kit) => delayedVisibility(kit, 500);
  const options = { visibilityMs: 3000, families: ['sgt'], checks: CHECKS };
  const { results } = await quickRun({ deviations: [{ install }] }, options);
  expect(results.filter(({ verdict }) => !GOOD.includes(verdict))).toEqual([]);
  expect(results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThanOrEqual(7);
});

it('a sound deployment that does an apply or a clear a moment after its answer refuses none for it', async () => {
  const held = new Set<string>();
  const late = changing('anc', (inner) => {
    const later = (work: () => Promise<void>) => void setTimeout(() => void work().catch(() => undefined), 300).unref();
    const each = (targets: Parameters<typeof inner.apply>[0]) => targets.map(({ macAddress = '' }) => macAddress);
    return {
      apply: async (targets) =>
        later(async () => {
          await inner.apply(targets);
          for (const mac of each(targets)) held.add(mac);
        }),
      clear: async (targets) => {
        for (const mac of each(targets)) if (!held.has(mac)) refuse(400, 'not associated with a policy');
        later(async () => {
          if (each(targets).every((mac) => held.delete(mac))) await inner.clear(targets);
        });
      },
    };
  });
  const checks = ['anc/csrf-header', 'headers/csrf-on-reads', 'query/extra-on-reads'];
  const options = { mode: 'full', visibilityMs: 3000, families: ['ancendpoint'], checks } as const;
  const { results } = await quickRun({ deviations: [late] }, options);
  expect(results.filter(({ verdict }) => !GOOD.includes(verdict))).toEqual([]);
});
