import { afterEach, describe, expect, it } from 'vitest';
import { fingerprint } from '../../../conformance/engine/fingerprint.ts';
import { leaveAsFound } from '../../../conformance/engine/leave-as-found.ts';
import { readPool } from '../../../lib/client/anc/pool.ts';
import type { ErsClient } from '../../../lib/client/types.ts';
import { FAMILIES } from '../../../lib/contract/families.ts';
import type { FamilyTable } from '../../../lib/contract/types.ts';
import { runPrefix } from '../../../lib/run-name.ts';
import { aClient, eagerClock } from '../../helpers/a-client.ts';
import { ancStub } from '../../helpers/anc-target.ts';
import {
  EMPTY_LIST,
  json,
  type SeenRequest,
  type StubAnswer,
  type StubTarget,
  stubTarget,
} from '../../helpers/stub-target.ts';

let target: StubTarget | undefined;
afterEach(() => target?.close());

const RUN = '20260101-000000-test';
const NAME = `${runPrefix(RUN)}lost`;
const TABLE = { sgt: FAMILIES.sgt };

/** What a deployment may say that is not so. */
interface Lies {
  /** Creates are stored, and answered so. */
  readonly create?: number;
  /** The name that a create stores in place of the one it was sent; `nothing`: it stores no record. */
  readonly stored?: string;
  /** Deletes do nothing, and are answered so; after the first of them, they work where `mended` is set. */
  readonly remove?: number;
  readonly mended?: boolean;
  /** Reads of a record whose delete was asked for say that there is none. */
  readonly hides?: boolean;
  /** So many lists go on showing a record that is gone. */
  readonly lag?: number;
  /** Every list shows so many more records under the name of the create. */
  readonly alike?: number;
  /** Their reads say that there are none. */
  readonly unreadable?: boolean;
  /** So many totals go on counting what was removed. */
  readonly counts?: number;
  /** What the filter for a name answers. */
  readonly filtered?: object;
}

function store(lies: Lies) {
  const records = new Map([['foreign', 'somebody else']]);
  const asked = new Set<string>();
  let lag = lies.lag ?? 0;
  let counts = lies.counts ?? 0;
  const answer = ({ method, url, body }: SeenRequest, response: Parameters<typeof json>[0]) => {
    const { pathname, searchParams } = new URL(url, 'http://stub');
    const id = pathname.split('/')[4] ?? '';
    if (method === 'POST') {
      const { name } = (JSON.parse(body) as { Sgt: { name: string } }).Sgt;
      if (lies.stored !== 'nothing') records.set('made', lies.stored ?? name);
      if (lies.create !== undefined) return json(response, lies.create, {});
      return json(response, 201, undefined, { Location: '/ers/config/sgt/made' });
    }
    if (method === 'DELETE') {
      if (lies.remove === undefined || (lies.mended === true && asked.has(id))) records.delete(id);
      asked.add(id);
      return json(response, lies.remove ?? 204, undefined);
    }
    const name = records.get(id) ?? (id.startsWith('alike') && lies.unreadable !== true ? NAME : undefined);
    if (id !== '') {
      const isHidden = name === undefined || (lies.hides === true && asked.has(id));
      return isHidden ? json(response, 404, {}) : json(response, 200, { Sgt: { id, name } });
    }
    if (searchParams.has('filter') && lies.filtered !== undefined) return json(response, 200, lies.filtered);
    const alike = records.size > 1 ? (lies.alike ?? 0) : 0;
    const late = records.has('made') || !asked.has('made') || lag === 0 ? [] : [['made', NAME] as const];
    lag -= late.length;
    const resources = [...records, ...late].map(([key, held]) => ({ id: key, name: held }));
    for (let at = 0; at < alike; at += 1) resources.push({ id: `alike-${at}`, name: NAME });
    if (asked.size > 0) counts -= 1;
    const total = resources.length + (counts >= 0 ? asked.size : 0);
    json(response, 200, { SearchResult: { total, resources } });
  };
  return { records, answer };
}

/** What a run says at its end that did this on a target that answers so. */
async function leaving(answer: StubAnswer, done: (client: ErsClient) => unknown, table: FamilyTable = TABLE) {
  target = await stubTarget(answer);
  const [clock, families] = [eagerClock(), Object.keys(table)];
  const mode = 'sgt' in table ? 'own-data' : 'full';
  const anc = { pool: readPool('02:00:00:00:00:00+4'), policies: ['Test'] };
  const { client } = aClient(target.baseUrl, { mode, runId: RUN, table, ...(mode === 'full' && anc) }, clock);
  const before = await fingerprint(client, table, families);
  await done(client);
  return leaveAsFound({ client, table, families, clock, before });
}

const creating = (name?: string) => (client: ErsClient) =>
  client.send('sgt', 'create', { fields: { ...(name === undefined ? {} : { name }), value: 7 } });

async function leave(lies: Lies, done = creating(NAME)) {
  const held = store(lies);
  return { cleanup: await leaving(held.answer, done), records: held.records };
}

describe('a run at its end', () => {
  it('removes what it made and finds the lists as they were', async () => {
    const { cleanup, records } = await leave({});
    expect(cleanup).toMatchObject({ created: 1, removed: 1, residue: [], fingerprint: { equal: true } });
    expect([...records.keys()]).toEqual(['foreign']);
  });

  it.each([
    [Number.POSITIVE_INFINITY, false],
    [4, true],
  ])('says that all is as it was if totals count what was removed %d times: %s', async (counts, equal) => {
    const { cleanup } = await leave({ counts });
    expect(cleanup).toMatchObject({ created: 1, removed: 1, residue: [], fingerprint: { equal } });
  });

  it('names an endpoint outside of the pool that came to hold the policy of the run', async () => {
    const anc = ancStub();
    const applied = () => anc.held.set('06:00:00:00:00:01', 'Test').set('06:00:00:00:00:02', 'Other');
    const cleanup = await leaving(anc.answer, applied, { ancendpoint: FAMILIES.ancendpoint });
    expect(cleanup.leftAlone?.map(({ id }) => id)).toEqual(['06:00:00:00:00:01']);
  });

  it.each([
    ['a refused create stored, where the filter for the name hides it', { create: 500, filtered: EMPTY_LIST }],
    [
      'a refused create stored, where the filter counts it and does not show it',
      { create: 409, filtered: { SearchResult: { total: 1, resources: [] } } },
    ],
    ['an ignored delete left, where its reads say that it is gone', { remove: 404, hides: true, mended: true }],
  ] satisfies [string, Lies][])('removes what %s', async (_what, lies) => {
    const { cleanup, records } = await leave(lies);
    expect(cleanup).toMatchObject({ residue: [], fingerprint: { equal: true } });
    expect([...records.keys()]).toEqual(['foreign']);
  });

  it.each([1, 2, 3])('waits for lists that show %i times what reads deny', async (lag) => {
    const { cleanup } = await leave({ lag });
    expect(cleanup).toMatchObject({ created: 1, removed: 1, residue: [], fingerprint: { equal: true } });
  });

  it.each([404, 204])('lists what the lists go on showing after a delete that was answered %i', async (remove) => {
    const { cleanup, records } = await leave({ remove, hides: true });
    expect(records.has('made')).toBe(true);
    expect(cleanup.residue).toMatchObject([
      { family: 'sgt', id: 'made', command: expect.stringContaining('-X DELETE') },
    ]);
    // It is ours: nothing else has changed.
    expect(cleanup.fingerprint?.equal).toBe(true);
  });

  it.each([
    { reads: 'show them', unreadable: false, leftAlone: 1001 },
    { reads: 'say that there are none', unreadable: true, leftAlone: undefined },
  ])(
    'asks for the removal of no more records than its creates can have made, if lists show more and reads $reads',
    async ({ unreadable, leftAlone }) => {
      const { cleanup } = await leave({ alike: 1500, remove: 204, unreadable });
      expect(cleanup.residue.map(({ id }) => id)).toContain('made');
      expect(cleanup.leftAlone?.length).toBe(leftAlone);
      expect(cleanup.fingerprint?.equal).toBe(false);
      expect(target?.seen.filter(({ method }) => method === 'DELETE').length).toBeLessThan(100);
      expect(target?.seen.length).toBeLessThan(3000);
    },
  );

  it.each([
    { create: 200, stored: 'auto_1', named: ['made'] },
    { create: 200, stored: 'nothing', named: undefined },
    { create: 202, stored: 'auto_1', named: undefined },
    { create: 400, stored: 'auto_1', named: undefined },
  ])('names what came where a create that was answered $create stored $stored', async ({ named, ...lies }) => {
    const { cleanup } = await leave(lies);
    expect(cleanup.residue).toEqual([]);
    expect(cleanup.leftAlone?.map(({ id }) => id)).toEqual(named);
  });

  it('names what the target made beside a record of the run', async () => {
    const own = '0a1b2c3d-made';
    const held = new Map<string, object>([['foreign', { name: 'somebody else' }]]);
    const answer: StubAnswer = ({ method, url }, response) => {
      const id = url.split(/[/?]/)[4] ?? '';
      if (method === 'POST') {
        held.set(own, { name: NAME }).set('child', { name: 'mapping', sgtId: own }).set('new', { name: 'other' });
        held.set('copy', { name: 'bin 1', description: `made by ers-harness ${NAME}` });
        return json(response, 201, undefined, { Location: `/ers/config/sgt/${own}` });
      }
      if (method === 'DELETE') held.delete(id);
      if (method === 'DELETE') return json(response, 204, undefined);
      if (held.has(id)) return json(response, 200, { Sgt: { id, ...held.get(id) } });
      if (url.startsWith('/ers/config/sgt/')) return json(response, 404, {});
      const resources = [...held].map(([key, members]) => ({ id: key, ...members }));
      json(response, 200, { SearchResult: { total: resources.length, resources } });
    };
    const cleanup = await leaving(answer, creating(NAME));
    expect(cleanup).toMatchObject({ removed: 1, residue: [], leftAlone: [{ id: 'copy' }, { id: 'child' }] });
  });

  it.each([
    { create: 502, named: ['made'] },
    { create: 400, named: undefined },
  ])('names what came where a create without a name was answered $create', async ({ named, create }) => {
    const { cleanup } = await leave({ create, stored: 'auto_1' }, creating());
    expect(cleanup.leftAlone?.map(({ id }) => id)).toEqual(named);
  });

  it('leaves alone what somebody else made meanwhile', async () => {
    const held = store({});
    const cleanup = await leaving(held.answer, () => held.records.set('new', 'made by somebody else'));
    expect(cleanup).toMatchObject({ residue: [], fingerprint: { equal: false } });
    expect(target?.seen.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});
