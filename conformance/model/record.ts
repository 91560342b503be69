import { opRequirementId } from '../../lib/contract/requirements.ts';
import { type Family, type FamilyTable, fieldsOf } from '../../lib/contract/types.ts';
import { vendorFacts } from '../../lib/contract/vendor.ts';
import { idOf, isObject, type JsonObject } from '../../lib/wire/answer.ts';
import { enumeratedMembers, isServerFilled } from '../kit/fields.ts';
import { shown } from '../kit/record/record-reads.ts';
import type { Difference } from './difference.ts';
import type { Known, WriteKind } from './history.ts';
import type { ReadQuestion, ShownRecord } from './observation.ts';
import { isShownAs, isShownInXml } from './value.ts';

/** Members that an entry or an answer may leave out without contradicting a read. */
type Leaving = 'nothing' | 'anything';

/** Requirement of what a write does to a record: "Special paths", the last paragraph; bulk has a paragraph of its own. */
export function writeRequirement({ last }: Known): string {
  if (last.bulk) return 'SPC-BULK';
  if (last.kind === 'apply' || last.kind === 'clear') return 'SPC-ANC';
  return last.kind === 'create' ? 'PAY-C' : last.kind === 'update' ? 'PAY-U' : opRequirementId(last.family, 'delete');
}

/** Requirement that a record which is still shown breaks: that of the write that took it away. */
export const goneRequirement = ({ family, last }: Pick<Known, 'family' | 'last'>): string =>
  last.kind === 'clear' ? 'SPC-ANC' : opRequirementId(family, 'delete');

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Operation that a difference in a record of the last write is about. */
const opOf = ({ last }: Known): Exclude<WriteKind, 'learn'> | 'bulkSubmit' =>
  last.bulk ? 'bulkSubmit' : last.kind === 'learn' ? 'update' : last.kind;

/** The first member that is shown otherwise than it was written; undefined if there is none. */
function wrongMember(
  known: Known,
  record: JsonObject,
  { leaving, isXml }: { readonly leaving: Leaving; readonly isXml: boolean },
): string | undefined {
  return Object.keys(known.fields).find((member) => {
    const [sent, seen] = [known.fields[member], record[member]];
    // Nothing says that an XML answer holds what the JSON answer does, nor that an entry holds every member.
    if ((leaving === 'anything' || isXml) && isNothing(seen)) return false;
    return !(isXml ? isShownInXml(seen, sent) : isShownAs(seen, sent, known.last.form));
  });
}

/** Generated numbers: what is sent to have one generated is not what comes back. Source: "Resources and their fields". */
export function isGenerated(family: Family, member: string, value: unknown): boolean {
  const type = fieldsOf(family)[member]?.type;
  return typeof type === 'object' && 'range' in type && typeof value === 'number' && type.or.includes(value);
}

/** A generated number that is shown: it is in the range of its table; the member is right if it is. */
function generatedFault(family: Family, member: string, seen: unknown): string | undefined {
  const type = fieldsOf(family)[member]?.type;
  if (typeof type !== 'object' || !('range' in type)) return undefined;
  const isIn = typeof seen === 'number' && seen >= type.range[0] && seen <= type.range[1];
  return isIn ? undefined : `a number from ${type.range[0]} to ${type.range[1]}`;
}

export interface Seen {
  readonly family: Family;
  /** Where the record is shown, in words. */
  readonly where: string;
  readonly leaving: Leaving;
  readonly isXml: boolean;
  /** Requirement of the window, if another than that of the write. */
  readonly requirement?: string | undefined;
}

/** The first member of a shown record that no reading of the writes so far allows. */
export function memberDifference(known: Known, record: JsonObject, seen: Seen): Difference | undefined {
  const { family, where, requirement } = seen;
  const generated = Object.keys(known.fields).filter((member) => isGenerated(family, member, known.fields[member]));
  for (const member of generated) {
    const range = seen.isXml || isNothing(record[member]) ? undefined : generatedFault(family, member, record[member]);
    if (range !== undefined)
      return {
        requirement: 'RES-SGTVAL',
        about: { kind: 'value', operation: opOf(known), subject: `member ${member}` },
        family: family.name,
        expected: `${member} to be ${range} ${where}`,
        observed: shown(record[member]),
      };
  }
  const fields = Object.fromEntries(Object.entries(known.fields).filter(([member]) => !generated.includes(member)));
  const member = wrongMember({ ...known, fields }, record, seen);
  if (member === undefined) return undefined;
  const value = record[member];
  const isRetyped =
    !seen.isXml && value !== undefined && typeof value !== 'object' && String(value) === String(fields[member]);
  return {
    requirement: isRetyped ? 'RES-TYPE' : (requirement ?? writeRequirement(known)),
    about: { kind: value === undefined ? 'missing' : 'value', operation: opOf(known), subject: `member ${member}` },
    family: family.name,
    expected: `${member} ${shown(fields[member])} ${where}`,
    observed: shown(value),
  };
}

/** The record as a view shows it: what it calls the listed values of its families is not shown. */
function inView(known: Known, home: Family): Known {
  const hidden = enumeratedMembers(home);
  return {
    ...known,
    fields: Object.fromEntries(Object.entries(known.fields).filter(([member]) => !hidden.includes(member))),
  };
}

const WHERE = { read: 'in a read', view: 'in a read of a view', name: 'in a read by name' } as const;

/** Judges a read of one record: that it is there with what was written, or gone. */
export function judgeRead(
  known: Known,
  { window, family: asked, form }: ReadQuestion,
  { status, record, form: answered }: ShownRecord,
  table: FamilyTable,
): Difference | undefined {
  const family = table[asked] as Family;
  // An endpoint may stay known without a policy: clear takes away the policy.
  const isCleared = known.last.kind === 'clear' && isNothing(record?.['policyName']);
  const isThere = idOf(record) === known.id && !isCleared;
  const op = window === 'name' ? 'readByName' : 'read';
  const requirement = window === 'view' ? 'VIEW-PORTAL' : window === 'name' ? 'SPC-NODE' : undefined;
  const isXml = answered === 'xml';
  const isOther = record !== undefined && idOf(record) !== known.id && idOf(record) !== undefined;
  if (isOther && status < 300)
    return {
      requirement: requirement ?? 'RES-ID',
      about: { kind: 'value', operation: op, subject: 'member id' },
      family: asked,
      expected: `the record ${known.id} ${WHERE[window]}`,
      observed: `the record ${idOf(record)}`,
    };
  // An answer in XML that cannot be taken apart shows nothing, nor that the record is gone.
  if (form === 'xml' && status < 300 && record === undefined) return undefined;
  if (known.isLive === undefined) return undefined;
  if (isThere !== known.isLive)
    return {
      requirement: requirement ?? (known.isLive ? opRequirementId(asked, 'read') : goneRequirement(known)),
      about: {
        kind: 'no-effect',
        operation: known.isLive ? op : opOf(known),
        subject: window === 'view' ? 'view' : 'record',
      },
      family: asked,
      expected: `the record ${known.id} ${known.isLive ? 'there' : 'gone'} ${WHERE[window]}`,
      observed: `status ${status}`,
    };
  if (record === undefined || !isThere) return undefined;
  const isView = window === 'view';
  const home = table[known.family] as Family;
  return memberDifference(isView ? inView(known, home) : known, record, {
    ...{ family, where: WHERE[window], leaving: window === 'read' ? 'nothing' : 'anything', isXml },
    requirement: isXml && window === 'read' ? 'CNV-XML' : requirement,
  });
}

/** Judges an entry of a list: what it shows of a record is what a read has to show. */
export function judgeEntry(known: Known, entry: JsonObject, asked: Family, home: Family): Difference | undefined {
  const isView = asked.name !== home.name;
  const isStale = Object.entries(known.former).some(([member, values]) =>
    isShownAs(entry[member], values[0], known.last.form),
  );
  const found = memberDifference(isView ? inView(known, home) : known, entry, {
    ...{ family: asked, where: 'in its list entry', leaving: 'anything', isXml: false },
    requirement: isView ? 'VIEW-PORTAL' : isStale ? 'SVC-1' : opRequirementId(asked.name, 'list'),
  });
  return found === undefined ? undefined : { ...found, about: { ...found.about, operation: 'list' } };
}

/** Members of records that others made: only what says which record it is has to stay. */
export function steadyMembers(family: Family, record: JsonObject): JsonObject {
  const steady = ['name', ...(vendorFacts(family.name).identifying ?? [])];
  return Object.fromEntries(
    Object.entries(record).filter(
      ([member, value]) => steady.includes(member) && !isObject(value) && !isServerFilled(family, member),
    ),
  );
}
