import { describe, expect, it } from 'vitest';
import { type ExploreOptions, explore } from '../../../conformance/explore/explore.ts';
import type { Fields } from '../../../conformance/model/history.ts';
import { look, create as make, readByName, remove, together } from '../../../conformance/plans/make.ts';
import { PLAIN, type Query, type Step, type StepOf, type WrongRequest } from '../../../conformance/steps/step.ts';
import { readPool } from '../../../lib/client/anc/pool.ts';
import { preflight } from '../../../lib/client/http/preflight.ts';
import { systemClock } from '../../../lib/clock.ts';
import { generate } from '../../../reference/defects/generated/generated.ts';
import type { Deviation } from '../../../reference/deviation.ts';
import { type ReferenceOptions, startReference } from '../../../reference/server.ts';
import { aClient } from '../../helpers/a-client.ts';

async function explored(deployment: ReferenceOptions, options: Partial<ExploreOptions>) {
  const server = await startReference({ sessions: 200, seed: 1, ...deployment });
  const { baseUrl, username, password, endpoints, policies } = server;
  const { client } = aClient(baseUrl, {
    ...{ mode: 'full', runId: 'explore-00000001', pool: readPool(endpoints), policies, onExchange: () => undefined },
    target: { credentials: { username, password }, timeoutMs: 10_000, connections: 10 },
  });
  try {
    await preflight(client);
    return await explore(
      { seed: 1, durationMs: 25_000, most: 1, visibilityMs: 400, isExpected: () => false, ...options },
      { client, clock: systemClock },
    );
  } finally {
    await client.close();
    await server.close();
  }
}

describe('a search by random sequences', () => {
  it('finds nothing on a deployment that conforms, and leaves nothing there', async () => {
    const { findings, searched, cleanup } = await explored({}, { families: ['sgt'], durationMs: 2500 });
    expect(findings).toEqual([]);
    expect(searched['sgt']?.comparisons).toBeGreaterThan(20);
    expect(cleanup.residue).toEqual([]);
    expect(cleanup.created).toBeGreaterThan(0);
  });

  it('finds a lost member, shrinks it to one step, and replays it from its seed and path', async () => {
    const defect = { defects: ['M02'] };
    const [finding] = (await explored(defect, { families: ['sgt'] })).findings;
    if (finding === undefined) throw new Error('nothing was found');
    expect(finding.difference).toMatchObject({ requirement: 'PAY-C', family: 'sgt' });
    expect(finding.steps.length).toBeLessThanOrEqual(2);
    // The create, and the looks at it: nothing of the tries before.
    expect(finding.exchanges.length).toBeGreaterThan(1);
    expect(finding.exchanges.length).toBeLessThan(30);
    const { seed, path } = finding;
    const again = await explored(defect, { families: ['sgt'], seed, path });
    expect(again.findings[0]?.difference.requirement).toBe('PAY-C');
    expect(again.findings[0]?.steps).toEqual(finding.steps);
  });
});

let made = 0;
function create(set: Fields = {}, over: Partial<StepOf<'create'>> = {}): StepOf<'create'> {
  made += 1;
  return { ...make(`record ${made}`, set), ...over };
}
const wrong = (request: WrongRequest): Step => ({ step: 'wrong', request, who: '#0' });
const bulk = (count: number): Step => ({
  ...{ step: 'bulk', action: 'create', form: 'xml', who: Array.from({ length: count }, (_, at) => `item ${at}`) },
  sets: Array(count).fill({}),
});
const list = (query: Query): Step => look({ window: 'list', on: 'own', about: '#0', query, carried: PLAIN });

const ONE_BY_ONE = { criteria: [], size: 1, paging: 'link' } as const;
const TWIN = create({}, { family: 'byodportal', name: { of: '#0', as: 'same' } });

/** What shows each kind of defect: the defect, the family, the steps and the requirement. */
const SHOWN: readonly (readonly [string, string, readonly Step[], RegExp])[] = [
  ['M05', 'sgt', [create()], /^RES-TYPE$/],
  ['M07', 'sgt', [wrong('create out of bounds')], /^LIM-SGT$/],
  ['M09', 'byodportal', [wrong('create wrong member')], /^RES-PTYPE$/],
  ['M14', 'sgt', [create(), TWIN, remove('#0')], /^OP-sgt-D$/],
  ['M18', 'byodportal', [create(), wrong('delete by view')], /^SVC-1$/],
  ['M25', 'sgt', [create({}, { carried: { ...PLAIN, type: 'text' } })], /^CNV-XML$/],
  ['M48', 'byodportal', [together(create(), create()), list(ONE_BY_ONE)], /^LST-(PAGE|NEXT)$/],
  ['M50', 'sgt', [bulk(1)], /^SPC-BULK$/],
  ['M56', 'telemetryinfo', [{ step: 'version', carried: PLAIN }], /^OP-telemetryinfo-V$/],
  ['M57', 'node', [readByName('#1')], /^SPC-NODE$/],
  ['M59', 'sgt', [together(create(), create(), create())], /^SVC-1$/],
  // On a busy machine no read may fall into the moment of one update: eight are enough for one that does.
  ['M60', 'sgt', [create(), ...Array<Step>(8).fill({ step: 'race', who: '#0', sets: [{}, {}] })], /^ATOM-1$/],
];

describe('the steps of a sequence', () => {
  it.concurrent.each(SHOWN)('show %s in %s', async (defect, family, steps, requirement) => {
    const { findings } = await explored({ defects: [defect] }, { families: [family], steps });
    expect(findings[0]?.difference.requirement).toMatch(requirement);
  });

  it('show nothing on a deployment that conforms', async () => {
    const server = { sessions: 200 };
    for (const family of new Set(SHOWN.map(([, name]) => name))) {
      const steps = SHOWN.filter(([, name]) => name === family).flatMap(([, , each]) => each);
      const { findings, cleanup } = await explored(server, { families: [family], steps });
      expect(findings).toEqual([]);
      expect(cleanup.residue).toEqual([]);
    }
  });

  it('blame no deployment for a name that is too long for it, nor for an item whose number is in use', async () => {
    const long = create({}, { name: { fresh: 'z'.repeat(70) } });
    const names = await explored({ variations: ['V19b'] }, { families: ['byodportal'], steps: [create(), long] });
    expect(names.findings).toEqual([]);
    const taken: Step = { step: 'bulk', action: 'update', form: 'xml', who: ['#0', '#1'], sets: [{}, { value: 9 }] };
    const items = await explored({}, { families: ['sgt'], steps: [create(), create(), taken] });
    expect(items.findings).toEqual([]);
  });

  it('show as flaky what was wrong of one record and of none after it', async () => {
    let wrong: unknown;
    const defect: Deviation = {
      ...{ id: 'once', title: 'a filter that leaves out the first of our records' },
      install: () => ({
        query: (inner) => ({
          holds: (record, criterion) => {
            const isOurs = criterion.operator === 'NENDSW' && String(record['name']).startsWith('cfm');
            if (isOurs) wrong ??= record.id;
            return inner.holds(record, criterion) && !(isOurs && wrong === record.id);
          },
        }),
      }),
    };
    const criteria = [{ field: 'name', operator: 'NENDSW', part: 'whole', text: 'nothing' }] as const;
    const asked = list({ criteria, paging: 'link' });
    const { findings } = await explored({ deviations: [defect] }, { families: ['sgt'], steps: [create(), asked] });
    expect(findings).toMatchObject([{ isFlaky: true, difference: { requirement: 'FOP-NENDSW' } }]);
  });

  it('show an item of a bulk request that is lost', async () => {
    const place = { family: 'sgt', action: 'create' };
    const { defect } = generate({ operator: 'bulk-second-lost', place, trigger: 'always' });
    const items = await explored({ deviations: [defect] }, { families: ['sgt'], steps: [bulk(3)] });
    expect(items.findings[0]?.difference.expected).toContain('2 records of a bulk create');
  });
});
