import type { Exchange } from '../../lib/client/types.ts';
import type { RequestHeader } from '../../lib/contract/operations.ts';
import { type Family, fieldsOf, hasOp, type Op } from '../../lib/contract/types.ts';
import { jsonText } from '../../lib/json-text.ts';
import {
  entriesOf,
  idOf,
  isForbidden,
  isObject,
  isSuccess,
  type JsonObject,
  recordOf,
  refusesMedia,
  totalOf,
} from '../../lib/wire/answer.ts';
import type { RequestInput } from '../../lib/wire/request.ts';
import { answerFailure, answerText, prerequisite } from '../kit/answer.ts';
import { type Check, type CheckContext, checkOfEach } from '../kit/check.ts';
import { type CheckFailure, failure, Inconclusive, NotTestable } from '../kit/fault.ts';
import { until } from '../kit/poller.ts';
import { freeText, isGone, shown, updateFields } from '../kit/record/record-reads.ts';
import { anyId, attemptOnly } from '../kit/record/write-attempt.ts';
import { checksTokens, comesToShow, isListed, onReads, onRecords } from './common.ts';
import { type Case, casesOf, headersBeside, headersOf } from './header-cases.ts';

/** The case against what this run sends: a header that the target was found to refuse is on in the case, and off otherwise. */
const against = ({ run }: CheckContext, one: Case): Case =>
  run.habit(one.op)[one.header] === undefined ? one : { ...one, value: 'application/json' };

/** What the family answers to a read with the usual headers: asked once for all cases of an operation. */
async function usualRead(context: CheckContext, op: Op) {
  const usual = await context.run.shared(`usual-${op}`, async (scope) => {
    const input: RequestInput = op === 'read' ? { id: await anyId({ ...context, ...scope }) } : {};
    return { input, plain: await scope.send(op, input) };
  });
  prerequisite(usual.plain);
  context.evidence.add(usual.plain);
  return usual;
}

/** `isTaken`: a create takes the same value, so that the target knows the media type, and checks no token. */
function judgeAnswer({ header, op, value }: Case, answer: Exchange, isTaken = false): void {
  if (isSuccess(answer)) return;
  const handsOutToken = answer.headers['x-csrf-token'] !== undefined;
  if (header === 'csrfToken' && !isTaken && (isForbidden(answer) || handsOutToken)) throw checksTokens();
  // Which values a deployment knows is not shown (gap G-15).
  if (header === 'ersMediaType' && !isTaken && refusesMedia(answer))
    throw new NotTestable(
      `the media types the target knows are not shown (gap G-15): ${answerText(answer)}`,
      'a media type that the target knows',
    );
  throw failure('refused', op, `header ${header}`, {
    expected: `${op} to answer as it does ${value === null ? 'with' : header === 'contentType' ? 'with another' : 'without'} ${header}`,
    observed: answerText(answer),
  });
}

type Shown = ReadonlyMap<string, unknown>;

/** What a header must not change: listed members, the count of a list, and its records if all are shown; undefined if it is not JSON. */
function shownBy(family: Family, op: Op, answer: Exchange): Shown | undefined {
  const stated = Object.keys({ name: '', description: '', ...fieldsOf(family) });
  const toldBy = (record: JsonObject, where = '') =>
    stated.flatMap((member) => (record[member] === undefined ? [] : [[`${where}${member}`, record[member]] as const]));
  const record = recordOf(answer);
  if (op === 'read' && record !== undefined && idOf(record) !== undefined) return new Map(toldBy(record));
  const entries = op === 'list' ? entriesOf(answer) : undefined;
  const isWhole = entries?.length === totalOf(answer);
  return (
    entries &&
    new Map<string, unknown>([
      ['number of records', entries.length],
      // In which order a list comes without a sort, and so what its first page holds, is not stated.
      ...entries.flatMap((entry, at) => {
        const id = idOf(entry) ?? `record ${at + 1}`;
        const there: readonly (readonly [string, unknown])[] = isWhole ? [[`record ${id}`, 'there']] : [];
        return [...there, [`${id}${PART}id`, id] as const, ...toldBy(entry, `${id}${PART}`)];
      }),
    ])
  );
}

const PART = ': ';

/** What two answers do not show alike; of a record that only one shows, nothing. */
const differing = (one: Shown | undefined, other: Shown | undefined): readonly string[] =>
  [...new Set([...(one?.keys() ?? []), ...(other?.keys() ?? [])])].filter((what) => {
    const [id, member] = what.split(PART);
    const isOfBoth = member === undefined || [one, other].every((each) => each?.has(`${id}${PART}id`));
    return isOfBoth && jsonText(one?.get(what)) !== jsonText(other?.get(what));
  });

const isOfWhole = (what: string): boolean => /^(number of records|record )/.test(what) && !what.includes(PART);

/** Looks this often for a moment in which somebody does not change all that is read. */
const LOOKS = 3;

/**
 * The failure of an answer with the header that shows something else than the answers before and after it. What differs between
 * these two changes by itself. Throws `Inconclusive` if no record was there twice.
 */
async function otherThanUsual(
  context: CheckContext,
  one: Case,
  input: RequestInput,
): Promise<CheckFailure | undefined> {
  const { op, header } = one;
  const look = async (request: RequestInput): Promise<Shown> =>
    shownBy(context.family, op, await context.send(op, request)) ?? new Map();
  let before = await look(input);
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const withIt = await look({ ...input, headers: headersOf(context, one) });
    const after = await look(input);
    const unsteady = differing(before, after);
    const mayBeMore = unsteady.some(isOfWhole);
    // While records come and go, only one that a whole list leaves out tells something.
    const isWhole = [...withIt.keys()].some((each) => each.startsWith('record '));
    const isOpen = (each: string) => mayBeMore && isOfWhole(each) && (!isWhole || withIt.has(each));
    const [what] = differing(withIt, before).filter((each) => !unsteady.includes(each) && !isOpen(each));
    if (what !== undefined)
      return failure('value', op, `header ${header}`, {
        expected: `${what} ${shown(before.get(what))}, as without ${header}`,
        observed: withIt.has(what) ? `${what} ${shown(withIt.get(what))}` : `no ${what}`,
      });
    if (!mayBeMore || [...withIt.keys()].some((each) => !isOfWhole(each) && before.has(each))) return undefined;
    before = after;
  }
  throw new Inconclusive(`what ${op} shows changed between any two of ${2 * LOOKS + 1} answers`);
}

async function runRead(context: CheckContext, given: Case): Promise<undefined> {
  const one = against(context, given);
  const { input, plain } = await usualRead(context, one.op);
  const answer = await context.send(one.op, { ...input, headers: headersOf(context, one) });
  // What was there for the usual request may be gone by now.
  if (!isSuccess(answer)) prerequisite(await context.send(one.op, { ...input, headers: headersBeside(context, one) }));
  judgeAnswer(one, answer);
  // Which of the two says in what form an answer comes is not shown.
  const isOfForm = one.header === 'accept' || one.header === 'contentType';
  const isSame =
    isObject(answer.json) || isOfForm || one.kind === 'alone'
      ? answer.body.length > 0 || plain.body.length === 0
      : answer.body === plain.body;
  if (!isSame) throw answerFailure('an answer with a body', answer, `header ${one.header}`);
  const [without, withIt] = [plain, answer].map((each) => shownBy(context.family, one.op, each));
  if (without !== undefined && withIt !== undefined && differing(without, withIt).length > 0) {
    let found: CheckFailure | undefined;
    // A cache in front of the target shows what it kept of one request, and not yet of the other.
    await until(context, async () => {
      found = await otherThanUsual(context, one, input);
      return found === undefined;
    });
    if (found !== undefined) throw found;
  }
  context.witness('pairs');
}

/** True if a create is taken with the token or the media type that another write was refused for. */
async function takesValue(context: CheckContext, { op, header, value }: Case, answer: Exchange): Promise<boolean> {
  const isOfValue =
    (header === 'csrfToken' && isForbidden(answer)) ||
    (header === 'ersMediaType' && value !== null && refusesMedia(answer));
  if (op === 'create' || !isOfValue) return false;
  return isSuccess((await attemptOnly(context, { headers: { [header]: value } })).exchange);
}

async function runWrite(context: CheckContext, given: Case): Promise<undefined> {
  const one = against(context, given);
  const headers = headersOf(context, one);
  const own = await context.fixture();
  if (one.op === 'create') {
    const { exchange, wasThere } = await attemptOnly(context, { headers });
    if (!isSuccess(exchange))
      prerequisite((await attemptOnly(context, { headers: headersBeside(context, one) })).exchange);
    judgeAnswer(one, exchange);
    if (!wasThere)
      throw answerFailure('a record, as without the header', exchange, `header ${one.header}`, 'there is none');
  } else {
    const changes = freeText(context, `headers ${context.run.prefix}`);
    const input = { id: own.id, ...(one.op === 'update' ? { fields: updateFields(own, changes) } : {}) };
    const answer = await context.send(one.op, { ...input, headers });
    // Refused with the header means something only where the same is taken without it.
    if (!isSuccess(answer))
      prerequisite(await context.send(one.op, { ...input, headers: headersBeside(context, one) }));
    judgeAnswer(one, answer, await takesValue(context, one, answer));
    const isDone = one.op === 'delete' ? await isGone(context, own) : await comesToShow(context, own, changes);
    if (!isDone)
      throw answerFailure(`${one.op} with ${one.header} to take effect`, answer, `header ${one.header}`, 'it had none');
  }
  context.witness('pairs');
}

const OPTIONAL: readonly RequestHeader[] = ['contentType', 'accept', 'ersMediaType'];
const READING = { ...onReads, appliesTo: isListed, run: runRead, ops: ['list', 'read', 'version'] } as const;
const WRITING = { ...onRecords, run: runWrite, ops: ['create', 'update', 'delete'] } as const;

const headerCheck = (
  { ops, ...usual }: typeof READING | typeof WRITING,
  headers: readonly RequestHeader[],
  check: Pick<Check, 'id' | 'title'> & Partial<Check>,
): Check =>
  checkOfEach<Case>({
    ...usual,
    ...check,
    requirement: headers === OPTIONAL ? 'CNV-HDR' : 'AUTH-CSRF',
    variants: casesOf(ops, headers),
    run: usual.run,
  });

export const headerChecks: readonly Check[] = [
  headerCheck(READING, OPTIONAL, {
    id: 'headers/optional-on-reads',
    title: 'list, read and versioninfo work with and without each optional header',
    appliesTo: (family) => hasOp(family, 'list') || hasOp(family, 'version'),
  }),
  headerCheck(WRITING, OPTIONAL, {
    id: 'headers/optional-on-writes',
    title: 'create, update and delete work with and without each optional header',
  }),
  headerCheck(READING, ['csrfToken'], {
    id: 'headers/csrf-on-reads',
    title: 'list and read accept the header X-CSRF-TOKEN',
  }),
  headerCheck(WRITING, ['csrfToken'], {
    id: 'headers/csrf-on-writes',
    title: 'create, update and delete accept the header X-CSRF-TOKEN',
  }),
];
