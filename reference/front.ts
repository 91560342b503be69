import { LIST_ENVELOPE } from '../lib/contract/list.ts';
import { OPS, PATH_PREFIX } from '../lib/contract/operations.ts';
import { type FamilyTable, fieldsOf, type Op, withoutSecrets } from '../lib/contract/types.ts';
import { MEDIA_TYPE_PREFIX, vendorFacts, xmlName } from '../lib/contract/vendor.ts';
import { defined } from '../lib/defined.ts';
import { asksForToken } from './access/gate.ts';
import { readRoot, selfLink, serviceDocument } from './answers/present.ts';
import { Problem, unsupportedHeader } from './answers/problem.ts';
import { problemOutcome } from './answers/responder.ts';
import { createRecord, noRecord, readBody, removeRecord, updateRecord } from './handlers/records.ts';
import { ancTargets, bulkRequest, bulkStatus } from './handlers/special.ts';
import { type Call, headerOf } from './http/wire.ts';
import { queryPairs, textOf } from './query/plan.ts';
import type { Fields, MaybePromise, Outcome, Seams } from './seams.ts';
import type { StoredRecord } from './store/store.ts';

type Handler = (call: Call, name: string) => MaybePromise<Outcome>;

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
function versionOutcome(call: Call, name: string): Outcome {
  const { current, supported } = vendorFacts(name).versionInfo;
  const href = `${call.request.origin}${PATH_PREFIX}/${name}/versioninfo`;
  const link = { rel: 'self', href, type: 'application/json' };
  const value: Fields = { currentServerVersion: current, supportedVersions: supported, link };
  return { kind: 'version', status: 200, document: serviceDocument('VersionInfo', value) };
}

/** One handler for each operation of the specification, the same for every family. */
function createHandlers(table: FamilyTable, seams: Seams): Readonly<Record<Op, Handler>> {
  const id = (call: Call) => call.params['id'] ?? '';
  const byName = async (call: Call, name: string): Promise<StoredRecord> => {
    const key = call.params['name'] ?? '';
    const record = await seams.lookup.byName(name, key);
    if (record === undefined) throw noRecord(name, key);
    return record;
  };
  const updated = async (call: Call, name: string, of: string): Promise<Outcome> => {
    const changes = await updateRecord(seams, name, of, await readBody(seams, call, name));
    const updatedField = changes.map(({ field, oldValue, newValue }) => {
      const open = [oldValue, newValue].map((value) => withoutSecrets(value, fieldsOf(table[name])[field] ?? {}));
      const [before, after] = open.map((value) => (value === undefined ? undefined : textOf(value)));
      return { field, ...defined({ oldValue: before, newValue: after }) };
    });
    return { kind: 'updated', status: 200, document: serviceDocument('UpdatedFieldsList', { updatedField }) };
  };
  const deleted = async (name: string, of: string): Promise<Outcome> => {
    await removeRecord(seams, name, of);
    return { kind: 'deleted', status: 204 };
  };
  const anc =
    (op: 'apply' | 'clear'): Handler =>
    async (call, name) => {
      await seams.anc[op](ancTargets(await readBody(seams, call, name)));
      return { kind: 'anc', status: 204 };
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
    apply: anc('apply'),
    clear: anc('clear'),
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

/** Refuses an ERS-Media-Type that is not one of the family's. */
function checkMediaType(call: Call, name: string): void {
  const given = headerOf(call.request, 'ers-media-type');
  if (given === undefined || given === '' || call.route === undefined || OPS[call.route.op].headers !== 'all') return;
  const { mediaType, versionInfo } = vendorFacts(name);
  const base = mediaType.replace(/\.\d+\.\d+$/, '');
  const named = given.replace(/^application\//, '').replace(/\+(json|xml)$/, '');
  const plain = named.startsWith(MEDIA_TYPE_PREFIX) ? named.slice(MEDIA_TYPE_PREFIX.length) : named;
  const versions = [...versionInfo.supported.split(','), versionInfo.current, mediaType.slice(base.length + 1)];
  if (!versions.some((version) => plain === `${base}.${version}`)) throw unsupportedHeader('ers-media-type', given);
}

/** Clients fetch their CSRF token at families outside the twelve: those answer versioninfo, and nothing else (C16). */
function elsewhere(call: Call): Outcome {
  const { path, method } = call.request;
  const foreign = new RegExp(`^${PATH_PREFIX}/([a-z0-9]+)/versioninfo/?$`).exec(path);
  if (foreign?.[1] !== undefined && asksForToken(call)) return versionOutcome(call, foreign[1]);
  if (call.allowed === undefined) throw new Problem(404, 'missing', `There is no resource at ${path}`);
  throw new Problem(405, 'method', `The method ${method} is not supported at ${path}`, {
    headers: { Allow: call.allowed.join(', ') },
  });
}

export function createFront(table: FamilyTable, seams: Seams): Seams['front'] {
  const handlers = createHandlers(table, seams);
  const outcomeOf = (call: Call): MaybePromise<Outcome> => {
    seams.gate.admit(call);
    seams.codec.acceptOf(headerOf(call.request, 'accept'));
    const { route } = call;
    if (route === undefined) return elsewhere(call);
    checkMediaType(call, route.family);
    return handlers[route.op](call, route.family);
  };
  return {
    handle: async (call) => {
      let outcome: Outcome;
      try {
        outcome = await outcomeOf(call);
      } catch (fault) {
        // A fault of our own is said without its trace.
        const problem = fault instanceof Problem ? fault : new Problem(500, 'internal', 'Internal fault');
        outcome = problemOutcome(problem, call);
      }
      return seams.responder.answer(seams.responder.shape(outcome, call), call);
    },
  };
}
