import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { requirements } from '../../../lib/contract/requirements.ts';
import type { Family } from '../../../lib/contract/types.ts';
import {
  GENERATED_OPERATORS,
  generate,
  generatedLines,
  sampleLines,
} from '../../../reference/defects/generated/generated.ts';
import { lineId } from '../../../reference/defects/generated/line.ts';
import { TRIGGERS } from '../../../reference/defects/generated/triggers.ts';
import { momentOf } from '../../../reference/defects/generated/watch.ts';
import { dimensionOf, heldOutLines, MISTAKES, makeHeldOut } from '../../../reference/defects/held-out/space.ts';
import { routeOf } from '../../../reference/http/wire.ts';
import { isViolated } from '../../../reference/selftest/defect-score.ts';

const LINES = generatedLines();

describe('the generated defects', () => {
  it('are thousands, each with an id of its own that says what it is', () => {
    expect(LINES.length).toBeGreaterThan(3000);
    expect(new Set(LINES.map(lineId)).size).toBe(LINES.length);
    expect(LINES.filter(({ trigger }) => trigger === 'always').length).toBeGreaterThan(3000);
  });

  it('use every operator and every trigger', () => {
    expect(new Set(LINES.map(({ operator }) => operator)).size).toBe(GENERATED_OPERATORS.length);
    expect(new Set(LINES.map(({ trigger }) => trigger))).toEqual(new Set(TRIGGERS.map(({ id }) => id)));
  });

  it('are one line of data each: the line alone makes the defect', () => {
    for (const line of sampleLines(LINES, 200, 1)) {
      const again = JSON.parse(JSON.stringify(line));
      expect(generate(again).defect.id).toBe(lineId(line));
      expect(generate(again).defect.violates.length).toBeGreaterThan(0);
    }
  });

  it('ask for nothing that a request cannot carry', () => {
    const broken = LINES.filter(
      ({ place, trigger }) =>
        (trigger === 'with-media-type' && (place['by'] === 'bulkSubmit' || place['op'] === 'version')) ||
        (trigger === 'with-sort' && ['sgtvnvlan', 'node', 'telemetryinfo'].includes(place.family)),
    );
    expect(broken.map(lineId)).toEqual([]);
  });

  it('violate nothing that is left open, or cannot be: objects in XML, signs in ids, and fields that no published member holds', () => {
    const named = { imported: 'definition.yaml', filters: ['name', 'level', 'group'], sorts: ['name', 'level'] };
    const fields = {
      id: { type: 'string' },
      name: { type: 'string' },
      group: { type: 'string', form: 'uuid' },
      nested: { type: 'object' },
    } as const;
    const family: Family = { ...FAMILIES.sgt, ...named, fields };
    const lines = generatedLines({ [family.name]: family });
    expect(lines.filter(({ place }) => place['field'] === 'level')).toEqual([]);
    expect(lines.filter(({ place }) => place['field'] === 'name').length).toBeGreaterThan(0);
    const ofGroup = lines.filter(({ place }) => place['field'] === 'group' || place['member'] === 'group');
    expect(ofGroup.length).toBeGreaterThan(0);
    expect(
      ofGroup.filter(({ operator, trigger }) => /^class-/.test(trigger) || /unquoted|decoded/.test(operator)),
    ).toEqual([]);
    const ofNested = (part: string) => lines.filter(({ place }) => place['member'] === 'nested' && place[part]);
    expect(new Set(ofNested('by').map(({ place }) => place['sent']))).toEqual(new Set(['json']));
    const lost = ofNested('window').filter(({ operator }) => operator.endsWith('lost'));
    expect(new Set(lost.map(({ place }) => place['window']))).toEqual(new Set(['read']));
  });

  it('are in a bulk request that never does a thing only where its form is known by another', () => {
    const undone = LINES.filter(({ operator, trigger }) => operator === 'bulk-undone' && trigger === 'always');
    expect(new Set(undone.map(({ place }) => place['action']))).toEqual(new Set(['update']));
  });
});

it('a sample of them is drawn from the seed, none twice', () => {
  const ids = (seed: number) => sampleLines(LINES, 100, seed).map(lineId);
  expect(ids(1)).toEqual(ids(1));
  expect(ids(1)).not.toEqual(ids(2));
  expect(new Set(ids(3)).size).toBe(100);
});

it('what a generated defect looks at leaves a query that is none to the deployment, which refuses it', () => {
  const request = { method: 'GET', path: '/', origin: 'http://t', headers: {}, body: async () => '' };
  const look = (query: string) =>
    momentOf({ request: { ...request, query, connection: {} }, route: routeOf('sgt', 'list'), params: {} });
  for (const query of ['filter=%', 'filter=%zz&page=2', '=&&=', '%E0%A4%A']) expect(() => look(query)).not.toThrow();
  expect([...(look('filter=%zz&page=2')?.features ?? [])]).toEqual(['filter', 'later-page']);
});

const DIMENSIONS = ['history', 'values', 'relations', 'queries', 'who', 'links'];
const HELD_OUT = heldOutLines();

describe('the held-out defects', () => {
  it('are thousands, each with an id of its own, of six dimensions', () => {
    expect(HELD_OUT.length).toBeGreaterThan(1000);
    expect(new Set(HELD_OUT.map(lineId)).size).toBe(HELD_OUT.length);
    expect([...new Set(HELD_OUT.map(dimensionOf))].sort()).toEqual([...DIMENSIONS].sort());
    for (const { id, places } of MISTAKES) expect(places(FAMILIES).length, id).toBeGreaterThan(0);
  });

  it('violate requirements that there are', () => {
    const known = requirements().map(({ id }) => id);
    const broken = HELD_OUT.filter((line) =>
      makeHeldOut(line).defect.violates.some((pattern) => !known.some((id) => isViolated([pattern], id))),
    );
    expect(broken.map((line) => `${lineId(line)}: ${makeHeldOut(line).defect.violates}`)).toEqual([]);
  });
});
