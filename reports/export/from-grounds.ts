import { nameMember } from '../../conformance/kit/fields.ts';
import { judgeAgain } from '../../conformance/model/again.ts';
import { differenceKey } from '../../conformance/model/difference.ts';
import { type Fields, keyOf } from '../../conformance/model/history.ts';
import { type FamilyTable, hasOp } from '../../lib/contract/types.ts';
import { defined } from '../../lib/defined.ts';
import { present } from '../../lib/present.ts';
import type { Grounds } from '../../lib/records/histories.ts';
import { buildRequest, type RequestInput, type RequestSpec } from '../../lib/wire/request.ts';
import { claimsOf } from './claims.ts';
import { appliesOf } from './from-endpoints.ts';
import { type Kept, stepsBefore } from './kept.ts';
import type { Claim, Expected, Script, Step } from './script.ts';

export type Told = Pick<Script, 'notes' | 'setUp' | 'request' | 'claims' | 'expected' | 'observed'>;

const EXPECTS = { done: 'taken', refused: 'refused', unknown: 'any' } as const;

function stepOf({ method, path, headers, body }: RequestSpec, expects: Expected): Step {
  return { method, path, headers: Object.entries(headers), expects, ...(body === undefined ? {} : { body }) };
}

/** One write as the request that does it; to learn is none. */
export function writeStep(table: FamilyTable, { kind, family, id, sent, form, end }: Grounds['writes'][number]): Step {
  if (kind === 'learn') throw new Error(`nothing was sent to learn of ${id}`);
  const whole: Fields = kind === 'update' ? { ...sent, id } : sent;
  const input: RequestInput = {
    format: form,
    ...(kind === 'create' ? {} : { id }),
    ...(kind === 'delete' ? {} : { fields: whole }),
  };
  const step = stepOf(buildRequest(table, family, kind, input), EXPECTS[end]);
  return kind === 'create' && end === 'done' ? { ...step, creates: id } : step;
}

/** The question as the request that asks it. */
function question(
  table: FamilyTable,
  { writes, observation: { question: asked, shown } }: Grounds,
  expects: Expected,
): Step {
  const { family } = asked;
  if ('filters' in asked) {
    const { filters, join, sort, size } = asked;
    const order = sort === undefined ? {} : sort.descending ? { sortDsc: sort.field } : { sortAsc: sort.field };
    const list = { filters, ...order, ...defined({ join, size }) };
    const step = stepOf(buildRequest(table, family, 'list', { list }), expects);
    return 'pages' in shown && shown.pages.length > 1 ? { ...step, walks: true } : step;
  }
  const headers = asked.form === 'xml' ? { accept: 'application/xml' } : {};
  if (asked.window !== 'name') return stepOf(buildRequest(table, family, 'read', { id: asked.id, headers }), expects);
  const member = nameMember(table[family] as never) ?? 'name';
  const name = writes.findLast(({ id, sent }) => id === asked.id && sent[member] !== undefined)?.sent[member];
  return stepOf(buildRequest(table, family, 'readByName', { name: String(name), headers }), expects);
}

/** Grounds whose texts were cut, or with endpoints, whose requests they do not hold. */
function missing(table: FamilyTable, { writes, observation }: Grounds): string | undefined {
  const foreign = [observation.question, ...writes].find(({ family }) => table[family] === undefined);
  if (foreign !== undefined) return `the family ${foreign.family} is not of this version`;
  return /… \d+ characters, sha256 /.test(JSON.stringify(writes))
    ? 'texts of its records were too long to be kept'
    : undefined;
}

/** The grounds as if one record had never been there. */
function without(grounds: Grounds, key: string): Grounds {
  const { writes, observation, facts } = grounds;
  const left = { facts, writes: writes.filter(({ family, id }) => keyOf(family, id) !== key) };
  if (observation.question.window !== 'list' || !('pages' in observation.shown)) return { ...left, observation };
  const [gone] = writes.filter(({ family, id }) => keyOf(family, id) === key);
  const pages = observation.shown.pages.map((page) => page.filter(({ id }) => id !== gone?.id));
  return { ...left, observation: { ...observation, shown: { ...observation.shown, pages } } as Grounds['observation'] };
}

/**
 * Leaves out each record without which the oracle sees the same difference, so that a file makes no more of them than it
 * needs. Of a list of several pages, or of which the next one is lacking, all are kept: where a page ends is part of what was seen.
 */
function smallest(grounds: Grounds, table: FamilyTable): Grounds {
  const { observation } = grounds;
  const first = judgeAgain(grounds, table);
  if (first === undefined || !('pages' in observation.shown) || observation.shown.pages.length > 1) return grounds;
  if (first.requirement === 'LST-NEXT') return grounds;
  const isSame = (some: Grounds): boolean => {
    const seen = judgeAgain(some, table);
    return seen !== undefined && differenceKey(seen) === differenceKey(first) && seen.record === first.record;
  };
  const keys = [...new Set(grounds.writes.map(({ family, id }) => keyOf(family, id)))].filter(
    (key) => key !== first.record,
  );
  return keys.reduce((left, key) => {
    const fewer = without(left, key);
    return isSame(fewer) ? fewer : left;
  }, grounds);
}

/** The writes as they were sent, if the bulk requests among them were kept. */
function inBulk(writes: Grounds['writes'], kept: Kept): readonly Step[] | undefined {
  const ids = [...new Set(writes.map(({ id }) => id))];
  const steps = stepsBefore(
    { at: '~' },
    ids.map((path) => ({ path })),
    [],
    kept,
  );
  const made = new Set(steps.flatMap(({ creates }) => creates ?? []));
  return ids.every((id) => made.has(id)) ? steps : undefined;
}

/** Records of endpoints: a policy on each, and claims of names, as the target alone knows the ids. */
function ofEndpoints(
  { writes }: Grounds,
  claims: readonly Claim[],
  kept: Kept,
): Pick<Told, 'setUp' | 'claims'> | string {
  const last = new Map(writes.map((write) => [write.id, write]));
  const names = new Map(
    writes.flatMap(({ id, sent }) => (typeof sent['name'] === 'string' ? [[id, sent['name']]] : [])),
  );
  const there = [...last.values()].filter(({ kind }) => kind !== 'delete').map(({ id }) => names.get(id) ?? '');
  const setUp = appliesOf(there, kept);
  if (setUp === undefined) return 'the writes to its endpoints were not kept';
  const isNamed = claims.every((claim) => claim.kind === 'holds' && claim.texts.every((text) => names.has(text)));
  if (!isNamed) return 'its list entry cannot be told';
  const named = (claim: Claim): Claim =>
    claim.kind === 'holds' ? { ...claim, texts: claim.texts.map((text) => names.get(text) ?? text) } : claim;
  return { setUp, claims: claims.map(named) };
}

/**
 * A failure as requests, from the writes and the answer that it rests on; a text says why there is no file. `everything`:
 * with all that the run had written, and not the records alone that the difference needs.
 */
export function fromGrounds(whole: Grounds, table: FamilyTable, everything: boolean, kept: Kept): Told | string {
  const lack = missing(table, whole);
  if (lack !== undefined) return lack;
  const grounds = smallest(whole, table);
  const difference = judgeAgain(grounds, table);
  if (difference === undefined) return 'this version sees no difference in what was recorded';
  const asserted = claimsOf(difference, grounds, table);
  if (typeof asserted === 'string') return asserted;
  const told = { notes: [], expected: difference.expected, observed: difference.observed };
  const request = question(table, grounds, asserted.expects);
  if (grounds.writes.some(({ family }) => hasOp(table[family] as never, 'apply'))) {
    const made = ofEndpoints(grounds, asserted.claims, kept);
    return typeof made === 'string' ? made : { ...told, request, ...made };
  }
  const left = whole.writes.length - grounds.writes.length;
  const writes = (everything ? whole : grounds).writes.filter(({ kind }) => kind !== 'learn');
  const learned = new Set(
    grounds.writes.filter(({ kind }) => kind === 'learn').map(({ family, id }) => keyOf(family, id)),
  );
  const foreign = [...learned].filter((key) => !writes.some(({ family, id }) => keyOf(family, id) === key)).length;
  const asSent = writes.some(({ bulk }) => bulk) ? inBulk(writes, kept) : undefined;
  if (asSent === undefined && difference.about.operation.startsWith('bulk')) return 'its bulk request was not kept';
  return {
    ...told,
    notes: present(
      left > 0 &&
        !everything &&
        `Left out: ${left} writes to other records. If it passes, export it with --whole, which does them too.`,
      asSent === undefined && writes.some(({ bulk }) => bulk) && 'What the run did in bulk is done one by one here.',
      foreign > 0 && 'It is about records of the deployment that the run did not make: they have to be there.',
    ),
    setUp: asSent ?? writes.map((write) => writeStep(table, write)),
    ...{ request, claims: asserted.claims },
  };
}
