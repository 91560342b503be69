import { FAMILIES } from '../../contract/families.ts';
import { PATH_PREFIX } from '../../contract/operations.ts';
import type { FamilyTable } from '../../contract/types.ts';
import { UsageError } from '../../errors.ts';
import type { RequestSpec } from '../../wire/request.ts';
import type { ClientOptions, ErsClient, SendInput } from '../types.ts';
import { decodedSegment, isAmbiguousSegment, nameMembers } from './record-identity.ts';
import { type AncTargets, ancBody, namesEndpoint } from './targets.ts';

/** What a request that is not a GET would do, read from its method and path alone. */
export type Write =
  | { readonly kind: 'create'; readonly family: string }
  | { readonly kind: 'record'; readonly family: string; readonly id: string; readonly removes: boolean }
  | { readonly kind: 'named'; readonly family: string; readonly name: string; readonly removes: boolean }
  | ({ readonly kind: 'apply' | 'clear'; readonly family: string } & AncTargets)
  | { readonly kind: 'bulk'; readonly family: string; readonly removes: boolean; readonly items: readonly BulkItem[] }
  | { readonly kind: 'other'; readonly why: string };

export interface GuardState extends Pick<ClientOptions, 'mode' | 'pool' | 'policies'> {
  /** True for ids this run created, removed ones among them. */
  readonly owns: (family: string, id: string) => boolean;
  readonly foreignOn: (address: string) => string | undefined;
}

const OVERRIDES = /^x-(http-)?method(-override)?$/i;

/** What one item of a bulk request is about: the record that it changes or removes, or the name of the one that it makes. */
interface BulkItem {
  readonly id?: string;
  readonly name?: string;
}

export type Intent = Pick<SendInput, 'fields' | 'bulk' | 'onSend'>;

/** Classifies a request; null for a plain GET. An override header makes a GET a write of unknown effect. */
export function classifyWrite(
  request: Pick<RequestSpec, 'path' | 'headers' | 'body'> & { readonly method: string },
  intent: Intent = {},
): Write | null {
  if (Object.keys(request.headers).some((name) => OVERRIDES.test(name)))
    return { kind: 'other', why: 'overrides its method by a header' };
  if (request.method === 'GET') return null;
  const path = request.path.split(/[?#]/)[0] ?? '';
  if (!path.startsWith(`${PATH_PREFIX}/`)) return { kind: 'other', why: `writes outside ${PATH_PREFIX}` };
  const parts = path
    .slice(PATH_PREFIX.length + 1)
    .replace(/\/$/, '')
    .split('/');
  if (parts.some(isAmbiguousSegment))
    return { kind: 'other', why: 'has a path that servers may read in more than one way' };
  const [family = '', second, third, ...rest] = parts.map(decodedSegment) as string[];
  if (second === undefined) {
    if (request.method === 'POST') return { kind: 'create', family };
    return { kind: 'other', why: `sends ${request.method} to a whole family` };
  }
  if (third === undefined && (second === 'apply' || second === 'clear')) {
    const targets = ancBody(request.body ?? '');
    if (targets !== undefined) return { kind: second, family, ...targets };
    return { kind: 'other', why: `asks for ${second} with a body that names its endpoints in no certain way` };
  }
  if (second === 'bulk' && third === 'submit' && rest.length === 0) return bulkWrite(family, intent);
  if (second === 'name' && third !== undefined && rest.length === 0)
    return { kind: 'named', family, name: third, removes: request.method === 'DELETE' };
  if (third !== undefined) return { kind: 'other', why: 'names no record of the tables' };
  return { kind: 'record', family, id: second, removes: request.method === 'DELETE' };
}

const BULK_MEMBERS: ReadonlySet<string> = new Set(['operationType', 'resourceMediaType']);

/** A bulk request: with the items that its body is built from, and nothing else that could name one. */
function bulkWrite(family: string, { fields, bulk }: Intent): Write {
  if (fields === undefined || Object.keys(fields).some((name) => !BULK_MEMBERS.has(name)))
    return { kind: 'other', why: 'submits items in bulk that nobody named' };
  if (bulk === undefined) return { kind: 'bulk', family, removes: false, items: [] };
  const [member = 'name'] = nameMembers(family);
  const items = bulk.records.map(({ id, [member]: name }) => ({
    ...(id === undefined ? {} : { id: String(id) }),
    ...(typeof name === 'string' ? { name } : {}),
  }));
  const isUnnamed = bulk.action !== 'create' && items.some(({ id }) => id === undefined);
  // An imported family has no apply: an address in its records is a member like any other.
  const isPlain = (FAMILIES as FamilyTable)[family]?.imported !== undefined;
  if (isUnnamed || (!isPlain && namesEndpoint(JSON.stringify([fields, bulk.records]))))
    return { kind: 'other', why: 'submits items in bulk that name no record of this run' };
  return { kind: 'bulk', family, removes: bulk.action === 'delete', items };
}

export const refusal = (what: string, hint = 'only records that this run provably created are written'): UsageError =>
  new UsageError('refused-by-mode', `refused before it was sent: ${what}`, { hint });

function refuseAnc(write: AncTargets & { readonly kind: string }, state: GuardState): UsageError | null {
  if (state.mode !== 'full') return refusal(`${write.kind} in mode ${state.mode}`, 'ANC writes need --mode full');
  const foreign = write.endpoints.find((address) => state.pool?.indexOf(address) === undefined);
  if (foreign !== undefined)
    return refusal(`${write.kind} on ${foreign}, which is not in the pool`, 'name the endpoints with --endpoints');
  const held = write.endpoints.find((address) => state.foreignOn(address) !== undefined);
  if (held !== undefined) {
    const what = `${write.kind} on ${held}, which was shown with the policy "${state.foreignOn(held)}"`;
    return refusal(what, 'no write of this run put it there: it is left alone');
  }
  const policy = write.policies.find((name) => state.policies?.includes(name) !== true);
  if (policy === undefined) return null;
  return refusal(`${write.kind} of policy "${policy}", which was not named`, 'name the policy with --policy');
}

const refuseRecord = (family: string, id: string): UsageError =>
  refusal(`a write to ${family} ${id}, which this run did not create`);

/** The fault with which a write is refused; null if the mode allows it. */
export function refuseWrite(write: Write, state: GuardState): UsageError | null {
  if (state.mode === 'read-only')
    return refusal('a write in mode read-only', 'type --mode own-data or --mode full to let the run write');
  switch (write.kind) {
    case 'create':
      return null;
    case 'record':
      return state.owns(write.family, write.id) ? null : refuseRecord(write.family, write.id);
    case 'apply':
    case 'clear':
      return refuseAnc(write, state);
    case 'bulk': {
      if (state.mode !== 'full') return refusal(`bulk in mode ${state.mode}`, 'bulk needs --mode full');
      const foreign = write.items.find(({ id }) => id !== undefined && !state.owns(write.family, id));
      return foreign === undefined ? null : refuseRecord(write.family, foreign.id ?? '');
    }
    case 'named':
      return refuseRecord(write.family, write.name);
    case 'other':
      return refusal(`a request that ${write.why}`, 'no mode allows it');
  }
}

const ADDS: ReadonlySet<Write['kind']> = new Set(['create', 'bulk', 'apply']);

/** Records in a row that could not be removed, after which no more are made in their family. */
const MOST_KEPT = 2;

/** What families take no more of, and why. */
export function openClosings() {
  const closed = { create: new Map<string, string>(), update: new Map<string, string>() };
  const inARow = new Map<string, number>();
  const refuse: ErsClient['refuse'] = (family, why, what = 'create') =>
    void (why === undefined ? closed[what].delete(family) : closed[what].set(family, why));
  return {
    refuse,
    closed: ((family, what = 'create') => closed[what].get(family)) satisfies ErsClient['closed'],
    kept(family: string, why: string | undefined): void {
      inARow.set(family, why === undefined ? 0 : (inARow.get(family) ?? 0) + 1);
      // A target that keeps what a run made is not given more of it.
      if (why !== undefined && (inARow.get(family) ?? 0) >= MOST_KEPT)
        refuse(family, `records of this run cannot be removed again: ${why}`);
    },
    /** Why the write is not sent; undefined if the family takes such ones. */
    against(family: string, write: Write): string | undefined {
      const isAdded = write.kind === 'bulk' ? write.items.some(({ id }) => id === undefined) : ADDS.has(write.kind);
      const added = isAdded ? closed.create.get(family) : undefined;
      if (added !== undefined) return `${write.kind === 'apply' ? 'an apply' : 'a create'} in ${family}: ${added}`;
      const isUpdate =
        'removes' in write && !write.removes && (write.kind !== 'bulk' || write.items.some(({ id }) => id));
      const changed = isUpdate ? closed.update.get(family) : undefined;
      return changed && `an update in ${family}: ${changed}`;
    },
  };
}
export type Closings = ReturnType<typeof openClosings>;
