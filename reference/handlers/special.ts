import type { AncItemName } from '../../lib/contract/anc.ts';
import { ANC_DATA_FIELD, type BULK_FIELDS } from '../../lib/contract/operations.ts';
import type { FamilyTable } from '../../lib/contract/types.ts';
import { vendorFacts } from '../../lib/contract/vendor.ts';
import { defined } from '../../lib/defined.ts';
import { type AncTarget, ancFamily } from '../../lib/wire/anc.ts';
import { isObject } from '../../lib/wire/answer.ts';
import { invalidField, missingFields, Problem } from '../answers/problem.ts';
import type { Anc, Bulk, BulkRequest, BulkResult, BulkState, Fields, Seams } from '../seams.ts';
import type { StoredRecord } from '../store/store.ts';
import { createRecord, removeRecord, updateRecord } from './records.ts';

const NAMES: readonly string[] = ['macAddress', 'ipAddress', 'policyName'] satisfies readonly AncItemName[];
const crud = (text: string) => new Problem(400, 'crud', text);
const MAC = /^[0-9A-F]{2}([:-][0-9A-F]{2}){5}$/i;

/**
 * Endpoints of `additionalData`: a name that comes a second time begins the next one, because real clients put
 * several pairs of address and policy in one request. Throws `Problem` (400) that names the item.
 */
export function ancTargets(fields: Fields): readonly AncTarget[] {
  const items = fields[ANC_DATA_FIELD];
  if (!Array.isArray(items) || items.length === 0)
    throw invalidField(ANC_DATA_FIELD, 'it must be a list of at least one item');
  const targets: Partial<Record<AncItemName, string>>[] = [{}];
  for (const item of items as readonly unknown[]) {
    const { name, value } = (item ?? {}) as { name?: unknown; value?: unknown };
    if (typeof name !== 'string' || !NAMES.includes(name))
      throw invalidField(ANC_DATA_FIELD, `the name of an item must be one of ${NAMES.join(', ')}`);
    if (typeof value !== 'string' || value === '') throw invalidField(name, 'it must be a text');
    const key = name as AncItemName;
    if (targets.at(-1)?.[key] !== undefined) targets.push({});
    const last = targets.at(-1);
    if (last !== undefined) last[key] = value;
  }
  return targets;
}

/** Puts policies on endpoints and takes them away; one record of the ANC family for each endpoint that holds one. */
export function createAnc(
  table: FamilyTable,
  seams: Seams,
  macOfIp: (ip: string) => string | undefined,
  policies: readonly string[],
): Anc {
  const family = ancFamily(table) ?? '';

  const macOf = ({ macAddress, ipAddress }: AncTarget): string => {
    if (macAddress !== undefined) {
      if (!MAC.test(macAddress)) throw invalidField('macAddress', `'${macAddress}' is not a MAC address`);
      return macAddress.toUpperCase().replaceAll('-', ':');
    }
    if (ipAddress === undefined) throw invalidField(ANC_DATA_FIELD, 'macAddress or ipAddress is missing');
    const mac = macOfIp(ipAddress);
    if (mac === undefined) throw invalidField('ipAddress', `there is no session with the address '${ipAddress}'`);
    return mac;
  };
  /** The words of the dialect, where it has any. */
  const refusal = (kind: 'unknownPolicy' | 'held' | 'notHeld', usual: Problem): Problem =>
    seams.dialect.ancRefusals === null ? usual : crud(seams.dialect.ancRefusals[kind]);
  const held = (mac: string): StoredRecord | undefined => seams.store.find(family, 'macAddress', mac);

  return {
    apply: async (targets) => {
      const checked = targets.map((target) => {
        const mac = macOf(target);
        const { policyName } = target;
        if (policyName === undefined) throw invalidField('policyName', 'it is missing');
        if (!policies.includes(policyName))
          throw refusal('unknownPolicy', invalidField('policyName', `there is no policy '${policyName}'`));
        const record = held(mac);
        if (record?.['policyName'] === policyName)
          throw refusal('held', crud(`The endpoint ${mac} is already associated with the policy ${policyName}`));
        return { mac, policyName, record };
      });
      for (const { mac, policyName, record } of checked) {
        // A further policy takes the place of the one the endpoint holds.
        if (record !== undefined) await seams.store.update(family, record.id, { policyName });
        else await seams.store.create(family, { name: mac, macAddress: mac, policyName });
      }
    },
    clear: async (targets) => {
      const found = targets.map((target) => {
        const mac = macOf(target);
        const record = held(mac);
        if (record === undefined) throw refusal('notHeld', crud(`The endpoint ${mac} is not associated with a policy`));
        return record;
      });
      for (const { id } of found) await seams.store.remove(family, id);
    },
  };
}

/** Most resources, and most ids, of one request. */
const LIMITS = { resources: 500, ids: 5000 } as const;
const RETRY_AFTER_SECONDS = '1';

function listIn(fields: Fields, name: 'resourcesList' | 'idList', inner: 'resource' | 'id'): readonly unknown[] {
  const value = fields[name];
  const items = isObject(value) ? value[inner] : value;
  if (items === undefined) return [];
  if (!Array.isArray(items)) throw invalidField(name, 'it must be a list');
  return items;
}

/** Checks the body of a bulk request. Throws `Problem` (400) that names the field. */
export function bulkRequest(seams: Seams, fields: Fields): BulkRequest {
  const text = (name: keyof typeof BULK_FIELDS) => {
    const value = fields[name];
    if (typeof value !== 'string' || value === '') throw missingFields([name]);
    return value;
  };
  const operationType = text('operationType');
  const action = seams.dialect.operationTypes[operationType.toLowerCase()];
  if (action === undefined) throw invalidField('operationType', `'${operationType}' is not known`);
  const resources = listIn(fields, 'resourcesList', 'resource');
  const ids = listIn(fields, 'idList', 'id');
  if (!resources.every(isObject)) throw invalidField('resourcesList', 'its items must be objects');
  if (!ids.every((id) => typeof id === 'string')) throw invalidField('idList', 'its items must be texts');
  if (resources.length > LIMITS.resources) throw invalidField('resourcesList', `at most ${LIMITS.resources} resources`);
  if (ids.length > LIMITS.ids) throw invalidField('idList', `at most ${LIMITS.ids} ids`);
  return { operationType, action, resourceMediaType: text('resourceMediaType'), resources, ids };
}

type Step = () => Promise<Omit<BulkResult, 'failure'>>;

function stepsOf(table: FamilyTable, seams: Seams, name: string, request: BulkRequest): readonly Step[] {
  const shown = (id: string, fields: Fields) => ({
    id,
    name: String(fields['name'] ?? ''),
    description: String(fields['description'] ?? ''),
  });
  const anc = table[name]?.roots.anc !== undefined;
  const one = (fields: Fields): Step => {
    const id = typeof fields['id'] === 'string' ? fields['id'] : '';
    if (anc) return () => ancStep(seams, request, fields).then(() => shown(id, fields));
    if (request.action === 'create')
      return () => createRecord(seams, name, fields).then((made) => shown(made.id, made));
    if (request.action === 'update') return () => updateRecord(seams, name, id, fields).then(() => shown(id, fields));
    return () => removeRecord(seams, name, id).then(() => shown(id, fields));
  };
  return [...request.resources.map(one), ...request.ids.map((id) => one({ id }))];
}

async function ancStep(seams: Seams, request: BulkRequest, fields: Fields): Promise<void> {
  const entries = Object.entries(fields).filter(([, value]) => typeof value === 'string' && value !== '');
  const { macAddress, ipAddress, policyName } = Object.fromEntries(entries) as Record<string, string | undefined>;
  const target = defined({ macAddress, ipAddress, policyName });
  await (request.action === 'delete' ? seams.anc.clear([target]) : seams.anc.apply([target]));
}

/** Accepts one bulk request at a time and works it off afterwards, resource by resource. */
export function createBulk(table: FamilyTable, seams: Seams, wait: (ms: number) => Promise<void>): Bulk {
  const states = new Map<string, BulkState>();
  let running = false;
  let lastId = 0;

  const run = async (id: string, name: string, request: BulkRequest) => {
    await wait(seams.dialect.bulkMs);
    const results: BulkResult[] = [];
    for (const step of stepsOf(table, seams, name, request)) {
      try {
        results.push(await step());
      } catch (fault) {
        const failure = fault instanceof Problem ? fault.message : 'internal fault';
        results.push({ id: '', name: '', description: '', failure });
      }
    }
    const state = states.get(id);
    if (state !== undefined) states.set(id, { ...state, done: true, results });
    running = false;
  };

  return {
    submit: (name, request) => {
      if (running)
        throw new Problem(503, 'busy', 'Another bulk request is running, and only one can run at a time: try again', {
          headers: { 'Retry-After': RETRY_AFTER_SECONDS },
        });
      running = true;
      const startedAt = new Date();
      lastId = Math.max(startedAt.getTime(), lastId + 1);
      const id = String(lastId);
      states.set(id, { id, family: name, request, startedAt, done: false, results: [] });
      void run(id, name, request);
      return id;
    },
    monitor: (name, id) => {
      const state = states.get(id);
      return state?.family === name ? state : undefined;
    },
  };
}

/** `Mon Mar 15 07:01:43 UTC 2021`, the recorded form of a start time. */
function startText(date: Date): string {
  const [day = '', number = '', month = '', year = '', time = ''] = date.toUTCString().replace(',', '').split(' ');
  return `${day} ${month} ${number} ${time} UTC ${year}`;
}

/** Members of `BulkStatus` (C5); the id's member is spelled as the family's recorded answers spell it. */
export function bulkStatus(state: BulkState): Fields {
  const failed = state.results.filter((result) => result.failure !== undefined).length;
  return {
    [vendorFacts(state.family).bulkIdMember ?? 'bulkId']: state.id,
    mediaType: state.request.resourceMediaType,
    executionStatus: state.done ? 'COMPLETED' : 'IN_PROGRESS',
    operationType: state.request.operationType,
    startTime: startText(state.startedAt),
    resourcesCount: state.request.resources.length + state.request.ids.length,
    successCount: state.results.length - failed,
    failCount: failed,
    resourcesStatus: state.results.map(({ failure, ...shown }) => ({
      ...shown,
      resourceExecutionStatus: 'COMPLETED',
      status: failure === undefined ? 'SUCCESS' : 'FAIL',
      ...defined({ message: failure }),
    })),
  };
}
