import { opRequirementId } from '../../lib/contract/requirements.ts';
import { type Family, fieldsOf, hasOp } from '../../lib/contract/types.ts';
import { endOf, idOf, type JsonObject } from '../../lib/wire/answer.ts';
import { enumeratedMembers, nameMember } from '../kit/fields.ts';
import { isNothing } from '../kit/list/value.ts';
import { shown } from '../kit/record/record-reads.ts';
import type { Difference } from './difference.ts';
import type { Known, Write } from './history.ts';
import type { ListFacts } from './list.ts';
import { effectRequirement, memberDifference, opOf, wrongMember } from './member.ts';
import type { ReadObservation, ReadQuestion } from './observation.ts';
import { isShownAs } from './value.ts';

/** The record as a view shows it: what it calls the listed values of its families, and what form it gives to objects, is not shown. */
function inView(known: Known, home: Family): Known {
  const objects = Object.entries(fieldsOf(home)).filter(([, { type }]) => type === 'object' || type === 'object[]');
  const hidden = [...enumeratedMembers(home), ...objects.map(([member]) => member)];
  const shownOnes = Object.entries(known.fields).filter(([member]) => !hidden.includes(member));
  return { ...known, fields: Object.fromEntries(shownOnes) };
}

const WHERE = { read: 'in a read', view: 'in a read of a view', name: 'in a read by name' } as const;
const READ_OPS = { read: 'read', view: 'read', name: 'readByName' } as const;

interface Read extends ReadObservation {
  readonly known: Known;
  readonly asked: Family;
  readonly home: Family;
  readonly latest: Known | undefined;
}

/** Requirement of a window that is not that of the write. Source: "What the service does", "Special paths", "Operations per family". */
function windowRequirement({ window, family }: ReadQuestion, isXml: boolean): string | undefined {
  if (window === 'view') return 'VIEW-PORTAL';
  if (window === 'name') return 'SPC-NODE';
  // That an XML answer shows what the JSON answer shows is not stated; that a read shows its record is.
  return isXml ? opRequirementId(family, 'read') : undefined;
}

/** A successful read that shows another record, or one without an id. Source: "Resources and their fields", every id is a string. */
function otherRecord(
  { known, question, shown: answer, asked, home }: Read,
  { shownOff }: ListFacts,
): Difference | undefined {
  const { window, family } = question;
  const { record, form } = answer;
  const id = record?.['id'];
  if (record === undefined || id === known.id || (form === 'xml' && (isNothing(id) || idOf(record) === known.id)))
    return undefined;
  const name = nameMember(home) ?? 'name';
  // Two records may have one name: nothing says which of them is shown.
  if (window === 'name' && idOf(record) !== known.id && isShownAs(record[name], known.fields[name], 'json'))
    return undefined;
  const at = { family: asked, home, where: '', leaving: 'nothing', isXml: form === 'xml', shownOff } as const;
  const isOwn = typeof id !== 'string' || wrongMember(known, record, at) === undefined;
  // Of a record that is gone, nothing but *implied* says what is not shown.
  const requirement = known.isLive !== true ? 'NEG-404' : isOwn ? 'RES-ID' : opRequirementId(family, READ_OPS[window]);
  return {
    requirement: windowRequirement(question, false) ?? requirement,
    about: { kind: id === undefined ? 'missing' : 'value', operation: READ_OPS[window], subject: 'member id' },
    family,
    expected: `the record ${known.id} ${WHERE[window]}`,
    observed: `the record ${shown(id)}`,
    // No write makes the read of one record that of another.
    ...(window === 'read' && typeof id === 'string' ? { isTimeless: true } : {}),
  };
}

/** A record that is not there and must be, or is and must not. Source: "What the service does". */
function presence(
  { known, question, shown: { status }, home: own, latest }: Read,
  isThere: boolean,
  { table }: ListFacts,
): Difference | undefined {
  const { window, family } = question;
  if (known.isLive === undefined || isThere === known.isLive) return undefined;
  // What a delete of another record took away, that delete did wrong; what a view never showed, nothing took from it.
  const isBeside = latest !== known && latest?.last.kind === 'delete';
  const isTaken = window !== 'view' && known.isLive && isBeside;
  const { last } = isTaken ? latest : known;
  const home = (isTaken && table[latest.family]) || own;
  const ofWrite = isTaken || !known.isLive ? effectRequirement(last, home) : 'SVC-1';
  // A failure of the server is the read's, whatever was written.
  const requirement = known.isLive && status >= 500 ? opRequirementId(family, READ_OPS[window]) : ofWrite;
  return {
    requirement: windowRequirement(question, false) ?? (hasOp(home, 'apply') ? 'SPC-ANC' : requirement),
    about: {
      kind: 'no-effect',
      operation: known.isLive && !isTaken ? READ_OPS[window] : opOf(last, home),
      subject: isTaken ? 'other records' : window === 'view' ? 'view' : 'record',
      record: known.id,
    },
    family: isTaken ? home.name : family,
    expected: `the record ${known.id} ${known.isLive ? 'there' : 'gone'} ${WHERE[window]}`,
    observed: `status ${status}`,
  };
}

/** Judges a read of one record: that it is there with what was written, or gone. `latest`: the record that was written last. */
export function judgeRead(
  known: Known,
  seen: ReadObservation,
  facts: ListFacts,
  latest: Known | undefined,
): Difference | undefined {
  const { table, writes, shownOff } = facts;
  const { question, shown: answer } = seen;
  const { window, form } = question;
  const { status, record } = answer;
  const [asked, home] = [table[question.family] as Family, table[known.family] as Family];
  const read: Read = { ...seen, known, asked, home, latest };
  const isTaken = status >= 200 && status < 300;
  // An answer in XML that cannot be taken apart shows nothing, nor that the record is gone.
  if (isTaken && record === undefined && form === 'xml') return undefined;
  const other = isTaken ? otherRecord(read, facts) : undefined;
  if (other !== undefined) return other;
  const isXml = answer.form === 'xml';
  const isUnnamed = isXml && isTaken && isNothing(record?.['id']);
  // An endpoint that says to be without a policy: clear takes away the policy.
  const isWithout = record !== undefined && 'policyName' in record && isNothing(record['policyName']);
  const isCleared = isWithout && known.isLive === false && hasOp(home, 'apply');
  const isThere = isTaken && record !== undefined && !isCleared;
  // An XML answer need not show an id: then it is not known whose record it is.
  if (isUnnamed && known.isLive !== true) return undefined;
  if (window === 'name' && isThere && idOf(record) !== known.id && !isUnnamed) return undefined;
  const missing = presence(read, isThere, facts);
  if (missing !== undefined || record === undefined || known.isLive === false || !isThere) return missing;
  // That the XML answer shows what a JSON answer showed is stated nowhere.
  if (isXml && known.last.kind === 'learn') return undefined;
  return memberDifference(window === 'view' ? inView(known, home) : known, record, {
    ...{ family: asked, home, isXml, writes, shownOff, requirement: () => windowRequirement(question, isXml) },
    where: isXml ? `${WHERE[window]} in XML` : WHERE[window],
    // What a read by id shows right, the read by name shows wrong by itself.
    ...(window === 'name' ? { operation: READ_OPS.name } : {}),
    leaving: window === 'read' ? 'nothing' : 'anything',
  });
}

/** Judges an entry of a list: what it shows of a record is what a read has to show. */
export function judgeEntry(known: Known, entry: JsonObject, asked: Family, home: Family, writes?: readonly Write[]) {
  const isView = asked.name !== home.name;
  const isStale = (member: string) =>
    known.former[member]?.some((value) => !isNothing(value) && isShownAs(entry[member], value, known.last.form));
  const own = (member: string) => (isStale(member) ? 'SVC-1' : opRequirementId(asked.name, 'list'));
  return memberDifference(isView ? inView(known, home) : known, entry, {
    ...{ family: asked, home, writes, operation: 'list' },
    ...{ where: 'in its list entry', leaving: 'anything', isXml: false },
    requirement: isView ? () => 'VIEW-PORTAL' : own,
  });
}

/** A link that leads to another record (`isRecord`: by the id), or nowhere while others work. *Implied*: links may have any form. */
export function linkFault(
  known: Known,
  href: string | undefined,
  at: Pick<Difference, 'requirement' | 'family'> & Pick<ListFacts, 'isDead'> & { readonly operation: 'list' | 'read' },
  isRecord: (id: string) => boolean,
): Difference | undefined {
  const { operation, requirement, family, isDead } = at;
  const last = href === undefined ? undefined : endOf(href);
  const isWrong = last !== undefined && last !== known.id && isRecord(last);
  if (!isWrong && isDead?.(family, { id: known.id, href }) !== true) return undefined;
  return {
    ...{ requirement, family, about: { kind: 'value', operation, subject: 'links' } },
    expected: `a link to the record ${known.id} in ${operation === 'list' ? 'its entry' : 'a read of it'}`,
    observed: shown(href),
  };
}
