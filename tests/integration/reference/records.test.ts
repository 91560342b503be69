import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { OPERATOR_NAMES } from '../../../lib/contract/list.ts';
import type { Family } from '../../../lib/contract/types.ts';
import { memberOf } from '../../../lib/contract/vendor.ts';
import { buildRequest } from '../../../lib/wire/request.ts';
import { createDeployment } from '../../../reference/deployment.ts';
import { type Served, serve } from './ask.ts';

const table: Readonly<Record<string, Family>> = FAMILIES;
const filterCells = Object.entries(table).flatMap(([name, family]) =>
  family.filters.map((field) => [name, field] as const),
);
const sortCells = Object.entries(table).flatMap(([name, family]) =>
  family.sorts.map((field) => [name, field] as const),
);

describe('records of the reference deployment', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve();
  });
  afterAll(() => served.close());

  const list = async (path: string) => (await served.ask('GET', path)).json().SearchResult;

  it.each(filterCells)('%s has a seeded match and a non-match for every operator on %s', async (name, field) => {
    const { seams } = createDeployment({
      table,
      sessions: 1,
      seed: 1,
      csrf: false,
      credentials: { username: 'a', password: 'b' },
      deviations: [],
    });
    const values = seams.store
      .list(name)
      .slice(0, 100)
      .map((record) => record[memberOf(name, field)]);
    const total = (await list(name)).total;
    for (const operator of OPERATOR_NAMES) {
      const kept = await Promise.all(
        values.map((value) => list(`${name}?filter=${encodeURIComponent(`${field}.${operator}.${String(value)}`)}`)),
      );
      const witness = kept.some((found) => found.total > 0 && found.total < total);
      expect([operator, witness]).toEqual([operator, true]);
    }
  });

  it.each(sortCells)('%s has distinct seeded values of %s and sorts them both ways', async (name, field) => {
    const ids = async (direction: string) =>
      (await list(`${name}?size=100&${direction}=${field}`)).resources.map(({ id }: { id: string }) => id);
    const [up, down] = [await ids('sortasc'), await ids('sortdsc')];
    expect(up).toEqual([...down].reverse());
    expect(new Set(up).size).toBe(up.length);
  });

  it('the generic portal shows the portals of its three families under their own ids', async () => {
    const shown = (await list('portal?size=100')).resources.map(({ id }: { id: string }) => id);
    for (const family of FAMILIES.portal.viewOf) {
      const own = (await list(`${family}?size=100`)).resources.map(({ id }: { id: string }) => id);
      expect(own.length).toBeGreaterThan(0);
      expect(shown).toEqual(expect.arrayContaining(own));
      const read = (await served.ask('GET', `portal/${own[0]}`)).json().ERSPortal;
      expect(read.id).toBe(own[0]);
    }
  });

  it('reads a node by id and by name', async () => {
    const [first] = (await list('node?size=1')).resources;
    const byName = (await served.ask('GET', `node/name/${first.name}`)).json();
    expect(byName).toEqual((await served.ask('GET', `node/${first.id}`)).json());
  });

  it('takes an id on create where the family lists one there, and ignores it elsewhere', async () => {
    const byod = { id: 'my-own-id', name: 'own id', portalType: 'BYOD' };
    expect((await served.ask('POST', 'byodportal', { BYODPortal: byod })).id()).toBe('my-own-id');
    expect((await served.ask('POST', 'byodportal', { BYODPortal: { ...byod, name: 'again' } })).status).toBe(400);
    const hotspot = { ...byod, portalType: 'HOTSPOTGUEST' };
    expect((await served.ask('POST', 'hotspotportal', { HotspotPortal: hotspot })).id()).not.toBe('my-own-id');
  });

  it('stores the same record from XML as from JSON', async () => {
    const fields = {
      description: ' a & b <c> "ä" ',
      portalType: 'HOTSPOTGUEST',
      settings: { portalSettings: { httpsPort: 8443, on: true, name: 'x' } },
    };
    const made: unknown[] = [];
    for (const format of ['json', 'xml'] as const) {
      const { path, body, headers } = buildRequest(FAMILIES, 'hotspotportal', 'create', {
        format,
        fields: { name: `twin ${format}`, ...fields },
      });
      const reply = await served.ask('POST', path.slice('/ers/config/'.length), body, headers);
      expect(reply.status).toBe(201);
      const {
        id: _id,
        link: _link,
        name: _name,
        ...read
      } = (await served.ask('GET', `hotspotportal/${reply.id()}`)).json().HotspotPortal;
      made.push(read);
    }
    expect(made[1]).toEqual(made[0]);
    expect(made[0]).toEqual(fields);
  });

  it('generates a free value for -1, and takes both ends of the range', async () => {
    const values: number[] = [];
    for (const [index, value] of [-1, -1, 2, 65519].entries()) {
      const reply = await served.ask('POST', 'sgt', { Sgt: { name: `value-${index}`, value } });
      values.push((await served.ask('GET', `sgt/${reply.id()}`)).json().Sgt.value);
    }
    expect(new Set(values).size).toBe(4);
    expect(values.every((value) => value >= 2 && value <= 65519)).toBe(true);
    expect(values.slice(2)).toEqual([2, 65519]);
  });

  it('shows generationId only where a client set it, as a number', async () => {
    const seeded = (await list('sgt?size=1')).resources[0];
    expect((await served.ask('GET', `sgt/${seeded.id}`)).json().Sgt).not.toHaveProperty('generationId');
    const reply = await served.ask('POST', 'sgt', { Sgt: { name: 'generation', value: -1, generationId: '7' } });
    expect((await served.ask('GET', `sgt/${reply.id()}`)).json().Sgt.generationId).toBe(7);
  });

  it('serves a family that is only a table entry', async () => {
    const widget: Family = {
      name: 'widget',
      title: 'Widget',
      purpose: 'made up',
      versions: ['3.1.1'],
      ops: ['read', 'update', 'delete', 'list', 'create', 'version'],
      fields: { id: { type: 'string', sentOn: 'update' }, name: { type: 'string' }, weight: { type: 'integer' } },
      filters: ['name', 'weight'],
      sorts: ['weight'],
      roots: { resource: 'Widget' },
    };
    const thirteen = await serve({ table: { ...FAMILIES, widget } });
    const reply = await thirteen.ask('POST', 'widget', { Widget: { name: 'w', weight: 500 } });
    expect((await thirteen.ask('GET', `widget/${reply.id()}`)).json().Widget).toMatchObject({ name: 'w', weight: 500 });
    expect((await thirteen.ask('GET', 'widget?filter=weight.GT.400')).json().SearchResult.total).toBe(1);
    expect((await thirteen.ask('DELETE', `widget/${reply.id()}`)).status).toBe(204);
    await thirteen.close();
  });
});
