import { PATH_PREFIX } from '../../contract/operations.ts';
import type { FamilyTable } from '../../contract/types.ts';
import { defined } from '../../defined.ts';
import type { Exchange, LeftAlone } from '../types.ts';
import { claimLimits } from './claim-limits.ts';
import { isUsableId } from './ids.ts';
import { type ListEntry, listEntries } from './list-entries.ts';
import { keyIn, nameMembers, resourceOf, valuesIn } from './record-identity.ts';
import { recordInPath } from './record-path.ts';
import { seenIds } from './seen-ids.ts';

/** What is known of an id that an answer gave for a record of this run. */
type Standing = 'unknown' | 'claimed' | 'proven' | 'removed' | 'not-ours';

export interface OwnershipOptions {
  /** What every name and mark of the run holds. */
  readonly prefix: string;
  readonly table: FamilyTable;
  /** Names of an earlier run whose records this client may remove. */
  readonly inherits?: ((name: string) => boolean) | undefined;
}

/**
 * Decides which records are this run's own. No answer may have shown the id before the run sent the name, and a read of
 * the record must then show a name that the run sent. Everything else is left alone and listed.
 */
export interface Ownership {
  /** Takes in the names that a write is about to send; gives the moment at which it does. */
  readonly sends: (family: string, body: string | undefined, name?: string) => number;
  /** Takes in the answer to a GET: ids that it shows, and names of records that were claimed. */
  readonly sees: (family: string, exchange: Exchange) => void;
  /**
   * Why an id cannot be that of a new record of this name; undefined where it may be, and is then claimed. `since`: the
   * moment at which a create without a name was sent.
   */
  readonly claim: (family: string, id: string, name: string | undefined, since?: number) => string | undefined;
  /** True where nothing speaks against an id being that of a new record of this name. */
  readonly mayBeNew: (family: string, id: string, name: string) => boolean;
  readonly standing: (family: string, id: string) => Standing;
  /** Takes in a list entry that shows a claimed id under a name: proof where the record cannot be read. */
  readonly listed: (family: string, entry: ListEntry) => void;
  readonly removed: (family: string, id: string) => void;
  readonly leftAlone: () => readonly LeftAlone[];
  readonly stray: (family: string, id: string) => LeftAlone | undefined;
}

/** Records that are kept to be listed as not ours, at most. */
const MOST_STRAYS = 1000;

/** Member in which a create without a name can be recognized by the run's prefix. */
const MARK = 'description';

type Members = Readonly<Record<string, unknown>>;

function nameOf(family: string, record: Members): string | undefined {
  const held = nameMembers(family).map((member) => record[member]);
  return held.find((name): name is string => typeof name === 'string');
}

/** Opens the ownership of a run. `disown` is told of a claimed record that a read showed to be somebody else's. */
export function openOwnership(options: OwnershipOptions, disown: (family: string, id: string) => void): Ownership {
  let moment = 0;
  const seen = seenIds();
  const sentAt = new Map<string, number>();
  const standings = new Map<string, Standing>();
  const strays = new Map<string, LeftAlone>();
  const nameless = new Set<string>();
  const limits = claimLimits();
  const marks = new Set<string>();
  const isSent = (family: string, name: string): boolean =>
    sentAt.has(keyIn(family, name)) || options.inherits?.(name) === true;
  const standing = (family: string, id: string): Standing => standings.get(keyIn(family, id)) ?? 'unknown';
  const turnAway = (family: string, id: string, name: string | undefined, why: string): string => {
    const key = keyIn(family, id);
    if (strays.size < MOST_STRAYS || standings.has(key)) standings.set(key, 'not-ours');
    if (strays.size < MOST_STRAYS && !strays.has(key)) strays.set(key, { family, id, ...defined({ name }), why });
    return why;
  };
  const see = (family: string, id: string) => {
    for (const name of [family, ...(options.table[family]?.viewOf ?? [])]) seen.see(name, id, moment);
  };
  const compare = (family: string, id: string, name: string | undefined, record?: Members): void => {
    const key = keyIn(family, id);
    if (standing(family, id) !== 'claimed' && standing(family, id) !== 'removed') return;
    const isMarked = nameless.has(key) && marks.has(keyIn(family, String(record?.[MARK])));
    if (isMarked || (name !== undefined && isSent(family, name))) standings.set(key, 'proven');
    else if (name !== undefined) {
      turnAway(family, id, name, 'its record bears a name that this run did not send');
      disown(family, id);
    }
  };
  const seeRead = (family: string, { request, json }: Exchange) => {
    const id = recordInPath(request.path)?.id;
    const record = resourceOf(json);
    if (id === undefined || record === undefined) return;
    if (record['id'] !== undefined && String(record['id']) !== id) return;
    see(family, id);
    for (const name of [family, ...(options.table[family]?.viewOf ?? [])])
      compare(name, id, nameOf(name, record), record);
  };
  return {
    sends(family, body, name) {
      moment += 1;
      const names = new Set([...valuesIn(body, nameMembers(family)), ...(name === undefined ? [] : [name])]);
      if (body !== undefined || name !== undefined) limits.sends(family, [...names]);
      for (const sent of names) if (!sentAt.has(keyIn(family, sent))) sentAt.set(keyIn(family, sent), moment);
      for (const mark of valuesIn(body, [MARK])) if (mark.includes(options.prefix)) marks.add(keyIn(family, mark));
      return moment;
    },
    sees(family, exchange) {
      if (exchange.status !== 200 || !exchange.request.path.startsWith(`${PATH_PREFIX}/`)) return;
      const entries = listEntries(exchange.json);
      if (entries === null) seeRead(family, exchange);
      else for (const { id } of entries) see(family, id);
    },
    claim(family, id, name, sent) {
      if (!isUsableId(id)) return turnAway(family, id, name, 'the id is malformed: it names no record in a path');
      const key = keyIn(family, id);
      const now = standing(family, id);
      if (now === 'not-ours') return strays.get(key)?.why ?? 'it is not ours';
      if (now === 'claimed' || now === 'proven') return undefined;
      const inherited = name !== undefined && options.inherits?.(name) === true;
      const since = name === undefined ? sent : sentAt.get(keyIn(family, name));
      if (!inherited && now === 'unknown') {
        if (since === undefined) return turnAway(family, id, name, 'this run sent no such name');
        const wasThere = seen.isBefore(family, id, since);
        if (wasThere === true)
          return turnAway(family, id, name, 'a record of this id was there before the create was sent');
        if (wasThere === undefined)
          return turnAway(family, id, name, 'the target showed more ids than can be remembered');
        if (!limits.take(family, name))
          return turnAway(family, id, name, 'the target shows more records of this run than it can have created');
      }
      standings.set(key, 'claimed');
      if (name === undefined) nameless.add(key);
      return undefined;
    },
    mayBeNew(family, id, name) {
      const since = sentAt.get(keyIn(family, name));
      const isInherited = options.inherits?.(name) === true;
      return isInherited || (since !== undefined && seen.isBefore(family, id, since) === false);
    },
    standing,
    listed: (family, { id, name }) => compare(family, id, name),
    removed: (family, id) => {
      if (standing(family, id) !== 'not-ours') standings.set(keyIn(family, id), 'removed');
    },
    leftAlone: () => [...strays.values()],
    stray: (family, id) => strays.get(keyIn(family, id)),
  };
}
