import { describe, expect, it } from 'vitest';
import { readPool } from '../../../../lib/client/anc/pool.ts';
import { journalTrail } from '../../../../lib/client/cleanup/outstanding.ts';
import { findByJournal, removeFindings } from '../../../../lib/client/cleanup/sweep.ts';
import type { JournalEntry } from '../../../../lib/records/conformance.ts';
import { aStubClient, aTinyClient, eagerClock } from '../../../helpers/a-client.ts';
import { ancStub } from '../../../helpers/anc-target.ts';
import { json } from '../../../helpers/stub-target.ts';

const RUN = '20260101-101112-ab3d';
const MARK = 'cfm000gzb3d';

const entry = (event: JournalEntry['event'], more: Partial<JournalEntry>): JournalEntry => ({
  ...{ at: '2026-01-01T10:11:12.000Z', event, runId: RUN, family: 'sgt', operation: 'create' },
  ...more,
});

/** What a sweep finds of a journal on a target that holds these records. */
async function sweep(records: readonly Record<string, string>[], journal: (ids: readonly string[]) => JournalEntry[]) {
  const { target: tiny, client } = await aTinyClient({ mode: 'own-data', runId: `sweep of ${RUN}` });
  for (const Sgt of records)
    await client.raw({
      family: 'sgt',
      op: 'create',
      method: 'POST',
      path: '/ers/config/sgt',
      fields: Sgt,
      body: JSON.stringify({ Sgt }),
    });
  const ids = tiny.records('sgt').map(({ id }) => String(id));
  const sent = tiny.requests.length;
  const { records: found, unclear } = await findByJournal(client, { trail: journalTrail(journal(ids)), runId: RUN });
  const names = (list: readonly { readonly name?: string | undefined }[]) => list.map(({ name }) => name);
  return { found: names(found), unclear: names(unclear), requests: tiny.requests.length - sent };
}

describe('a sweep by journal', () => {
  it('finds records whose name is the test by their mark, with and without an id in the journal', async () => {
    const records = [
      { name: 'null', description: `${MARK}n01 of a run` },
      { name: '0171709', description: `${MARK}n02 of a run` },
      { name: `${MARK}n03` },
    ];
    const { found, unclear } = await sweep(records, ([id = '']) => [
      entry('intent', { name: 'null' }),
      entry('created', { name: 'null', id }),
      entry('intent', { name: '0171709' }),
      entry('intent', { name: `${MARK}n03` }),
    ]);
    expect([found.sort(), unclear]).toEqual([['0171709', `${MARK}n03`, 'null'], []]);
  });

  it('removes no record that somebody made under a name of the run that was free again', async () => {
    const records = ['n01', 'n02', 'n03'].map((end) => ({ name: `${MARK}${end}`, description: 'of somebody else' }));
    const { found, unclear } = await sweep(records, () => [
      ...[entry('intent', { name: `${MARK}n01` }), entry('created', { name: `${MARK}n01`, id: 'a' })],
      ...[entry('removed', { name: `${MARK}n01`, id: 'a' })],
      ...[entry('intent', { name: `${MARK}n02` }), entry('refused', { name: `${MARK}n02` })],
    ]);
    expect([found, unclear.sort()]).toEqual([[], records.map(({ name }) => name)]);
  });

  it('removes no copy of a record, mark and all, whose name and id are not of the journal', async () => {
    const Sgt = { id: 'copy', name: 'Branch_Printers', description: `same as ${MARK}n01` };
    const options = { mode: 'own-data', runId: `sweep of ${RUN}` } as const;
    const { client } = await aStubClient(options, ({ url }, response) =>
      json(response, 200, url.endsWith('/copy') ? { Sgt } : { SearchResult: { total: 1, resources: [Sgt] } }),
    );
    const gone = { name: `${MARK}n01`, id: 'gone' };
    const trail = journalTrail([entry('created', gone), entry('removed', gone)]);
    const { records, unclear } = await findByJournal(client, { trail, runId: RUN });
    expect([records, unclear.map(({ name }) => name)]).toEqual([[], ['Branch_Printers']]);
  });

  it('reads the records of the journal where the list of their family is not found', async () => {
    const Sgt = { id: 'made', name: `${MARK}n01` };
    const options = { mode: 'own-data', runId: `sweep of ${RUN}` } as const;
    const { client } = await aStubClient(options, ({ url }, response) =>
      url.endsWith('/made') ? json(response, 200, { Sgt }) : json(response, 404, {}),
    );
    const trail = journalTrail([entry('created', { name: Sgt.name, id: 'made' })]);
    const { records, unclear } = await findByJournal(client, { trail, runId: RUN });
    expect([records, unclear.map(({ standing }) => standing)]).toEqual([[{ family: 'sgt', ...Sgt }], ['unknown']]);
  });

  it('says of a record that the journal names and that carries no mark that it is not known', async () => {
    const { found, unclear } = await sweep([{ name: 'true' }, { name: 'Renamed' }, { name: 'Other' }], (ids) => [
      entry('intent', { name: 'TruE' }),
      entry('created', { name: `${MARK}n01`, id: ids[1] ?? '' }),
    ]);
    expect([found, unclear.sort()]).toEqual([[], ['Renamed', 'true']]);
  });

  it.each(['CFM-000gzb3d-Portal', `cfm-000gzb3d-legacy`, 'cfm000gzb3'])('leaves %s alone', async (name) => {
    const { found, unclear } = await sweep([{ name }], () => [entry('intent', { name: `${MARK}n01` })]);
    expect([found, unclear]).toEqual([[], []]);
  });

  it('sends no request for each of the ids of a long journal', async () => {
    const ids = Array.from({ length: 5000 }, (_, index) => ({ id: `made-${index}`, name: `${MARK}n${index}` }));
    const made = ids.map((each) => entry('created', each));
    const gone = await sweep([{ name: 'Other' }], () => [...made, ...ids.map((each) => entry('removed', each))]);
    expect(gone).toMatchObject({ unclear: [], requests: 1 });
    const { unclear, requests } = await sweep([{ name: 'Other' }], () => made);
    expect(unclear).toEqual(['more records of the journal than are read one by one']);
    expect(requests).toBeLessThan(2200);
  });

  it.each([
    ['a list leaves out', [], { Sgt: { id: 'made', name: `${MARK}n01` } }, [`${MARK}n01`], []],
    [
      'a list shows under an id that no read finds',
      [{ id: 7, name: `${MARK}n01` }],
      undefined,
      [],
      ['its read answered 404'],
    ],
  ])('does not miss a record that %s', async (_, resources, held, names, unknown) => {
    const options = { mode: 'own-data', runId: `sweep of ${RUN}` } as const;
    const { client } = await aStubClient(options, ({ url }, response) => {
      if (url.includes('?')) return json(response, 200, { SearchResult: { total: resources.length, resources } });
      return held === undefined ? json(response, 404, {}) : json(response, 200, held);
    });
    const trail = journalTrail([entry('created', { name: `${MARK}n01`, id: 'made' })]);
    const { records, unclear } = await findByJournal(client, { trail, runId: RUN });
    expect([records.map(({ name }) => name), unclear.map(({ name }) => name)]).toEqual([names, unknown]);
  });

  it('clears the policy of the run if the target writes its name in other case, and says of another one that it may be of the run', async () => {
    const anc = ancStub();
    const pool = readPool('02:00:00:00:00:00+10');
    const [own = '', other = '', since = '', again = ''] = [1, 2, 3, 4].map((index) => pool.at(index).macAddress);
    anc.held.set(own, ' TEST').set(other, 'p-17').set(since, '').set(again, 'Test');
    const { client } = await aStubClient({ mode: 'full', pool, policies: ['Test'] }, anc.answer);
    const touched = { family: 'ancendpoint', operation: 'apply' };
    const intents = [own, other, since, again].map((endpoint) => entry('intent', { ...touched, endpoint }));
    const ends = [since, again].map((endpoint) => entry('cleared', { ...touched, endpoint }));
    const trail = journalTrail([...intents, ...ends]);
    const findings = await findByJournal(client, { trail, runId: RUN, anc: { pool, policies: ['Test'] } });
    const { residue } = await removeFindings(client, findings, { clock: eagerClock() });
    expect([...anc.held.keys()]).toEqual([other, since, again]);
    const doubtful = (id: string, why: string) => ({ id, standing: 'doubtful', why: expect.stringContaining(why) });
    expect(residue).toMatchObject([doubtful(other, '"p-17"'), doubtful(since, '""'), doubtful(again, '"Test"')]);
  });
});

it('a record that was renamed since the sweep found it is left alone, and is not told to be nothing', async () => {
  const name = `${MARK}n01`;
  const options = { mode: 'own-data', inherits: (each: string) => each === name, clock: eagerClock() } as const;
  const { target, client } = await aStubClient(options, ({ url }, response) => {
    const theirs = { id: '7', name: 'Theirs' };
    if (url.includes('/sgt/7')) return json(response, 200, { Sgt: theirs });
    json(response, 200, { SearchResult: { total: 1, resources: [theirs] } });
  });
  const findings = { records: [{ family: 'sgt', id: '7', name }], endpoints: [], kept: [], unclear: [] };
  const { residue } = await removeFindings(client, findings, { clock: eagerClock() });
  expect(residue).toMatchObject([{ id: '7', standing: 'doubtful' }]);
  expect(target.seen.some(({ method }) => method === 'DELETE')).toBe(false);
});
