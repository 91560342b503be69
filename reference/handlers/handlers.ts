import { LIST_ENVELOPE } from '../../lib/contract/list.ts';
import { PATH_PREFIX } from '../../lib/contract/operations.ts';
import type { FamilyTable, Op } from '../../lib/contract/types.ts';
import { vendorFacts, xmlName } from '../../lib/contract/vendor.ts';
import { defined } from '../../lib/defined.ts';
import { readRoot, selfLink, serviceDocument } from '../answers/present.ts';
import { Problem } from '../answers/problem.ts';
import type { Call } from '../http/wire.ts';
import { textOf } from '../query/compare.ts';
import { queryPairs } from '../query/parameters.ts';
import type { Fields, MaybePromise, Outcome, Seams } from '../seams.ts';
import type { StoredRecord } from '../store/record.ts';
import { ancTargets } from './anc.ts';
import { bulkRequest, bulkStatus } from './bulk.ts';
import { createRecord, noRecord, readBody, removeRecord, updateRecord } from './records.ts';

export type Handler = (call: Call, name: string) => MaybePromise<Outcome>;

function readOutcome(table: FamilyTable, seams: Seams, call: Call, name: string, record: StoredRecord): Outcome {
  const value = { ...seams.present.read(name, record), link: selfLink(call.request.origin, name, record.id) };
  return { kind: 'read', status: 200, document: { root: readRoot(table, name), value, xml: xmlName(name) } };
}

async function listOutcome(seams: Seams, call: Call, name: string): Promise<Outcome> {
  const plan = seams.query.plan(name, queryPairs(call.request.query));
  const list = await seams.query.select(name, plan);
  const range = seams.pager.range(plan, list.length);
  const path = `${PATH_PREFIX}/${name}`;
  const linkTo = (rel: 'next' | 'previous', step: 1 | -1) => {
    const pairs = seams.pager.linkPairs(plan, seams.pager.linkPage(plan, step));
    return { rel, href: seams.pager.href(call, path, pairs), type: 'application/json' };
  };
  const entries = seams.pager.items(list, range, plan).map((record, position) => {
    const shown = seams.present.entry(name, record, position);
    return { ...shown, link: selfLink(call.request.origin, name, String(shown['id'])) };
  });
  const value = {
    total: list.length,
    [LIST_ENVELOPE.items]: entries,
    ...(range.hasNext ? { [LIST_ENVELOPE.next]: linkTo('next', 1) } : {}),
    ...(range.hasPrevious ? { previousPage: linkTo('previous', -1) } : {}),
  };
  return { kind: 'list', status: 200, document: serviceDocument(LIST_ENVELOPE.root, value) };
}

/** Members of `VersionInfo` (C10). */
export function versionOutcome(call: Call, name: string): Outcome {
  const { current, supported } = vendorFacts(name).versionInfo;
  const href = `${call.request.origin}${PATH_PREFIX}/${name}/versioninfo`;
  const link = { rel: 'self', href, type: 'application/json' };
  const value: Fields = { currentServerVersion: current, supportedVersions: supported, link };
  return { kind: 'version', status: 200, document: serviceDocument('VersionInfo', value) };
}

/** One handler for each operation of the specification, the same for every family. */
export function createHandlers(table: FamilyTable, seams: Seams): Readonly<Record<Op, Handler>> {
  const id = (call: Call) => call.params['id'] ?? '';
  const byName = async (call: Call, name: string): Promise<StoredRecord> => {
    const key = call.params['name'] ?? '';
    const record = await seams.lookup.byName(name, key);
    if (record === undefined) throw noRecord(name, key);
    return record;
  };
  const updated = async (call: Call, name: string, of: string): Promise<Outcome> => {
    const changes = await updateRecord(seams, name, of, await readBody(seams, call, name));
    const text = (value: unknown) => (value === undefined ? undefined : textOf(value));
    const updatedField = changes.map(({ field, oldValue, newValue }) => ({
      field,
      ...defined({ oldValue: text(oldValue), newValue: text(newValue) }),
    }));
    return { kind: 'updated', status: 200, document: serviceDocument('UpdatedFieldsList', { updatedField }) };
  };
  const deleted = async (name: string, of: string): Promise<Outcome> => {
    await removeRecord(seams, name, of);
    return { kind: 'deleted', status: 204 };
  };
  return {
    read: (call, name) => {
      const record = seams.lookup.byId(name, id(call));
      if (record === undefined) throw noRecord(name, id(call));
      return readOutcome(table, seams, call, name, record);
    },
    readByName: async (call, name) => readOutcome(table, seams, call, name, await byName(call, name)),
    list: (call, name) => listOutcome(seams, call, name),
    version: (call, name) => versionOutcome(call, name),
    create: async (call, name) => {
      const record = await createRecord(seams, name, await readBody(seams, call, name));
      const href = `${call.request.origin}${PATH_PREFIX}/${name}/${encodeURIComponent(record.id)}`;
      return { kind: 'created', status: 201, headers: { Location: href } };
    },
    update: (call, name) => updated(call, name, id(call)),
    updateByName: async (call, name) => updated(call, name, (await byName(call, name)).id),
    delete: (call, name) => deleted(name, id(call)),
    deleteByName: async (call, name) => deleted(name, (await byName(call, name)).id),
    apply: async (call, name) => {
      await seams.anc.apply(ancTargets(await readBody(seams, call, name)));
      return { kind: 'anc', status: 204 };
    },
    clear: async (call, name) => {
      await seams.anc.clear(ancTargets(await readBody(seams, call, name)));
      return { kind: 'anc', status: 204 };
    },
    bulkSubmit: async (call, name) => {
      const bulkId = seams.bulk.submit(name, bulkRequest(seams, await readBody(seams, call, name)));
      const href = `${call.request.origin}${PATH_PREFIX}/${name}/bulk/${bulkId}`;
      return { kind: 'bulkAccepted', status: 202, headers: { Location: href } };
    },
    bulkMonitor: (call, name) => {
      const bulkId = call.params['bulkid'] ?? '';
      const state = seams.bulk.monitor(name, bulkId);
      if (state === undefined)
        throw new Problem(404, 'missing', `The bulk request '${bulkId}' of ${name} does not exist`);
      return { kind: 'bulkStatus', status: 200, document: serviceDocument('BulkStatus', bulkStatus(state)) };
    },
  };
}
