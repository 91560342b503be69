import type { Exchange } from '../../lib/client/types.ts';
import { HEADERS_ALLOWED, OPS, type RequestHeader } from '../../lib/contract/operations.ts';
import { type Family, hasOp, type Op } from '../../lib/contract/types.ts';
import { vendorFacts } from '../../lib/contract/vendor.ts';
import { isForbidden, isObject, isSuccess, refusesMedia } from '../../lib/wire/answer.ts';
import type { RequestInput } from '../../lib/wire/request.ts';
import { answerFailure, answerText, prerequisite } from '../kit/answer.ts';
import { type Check, type CheckContext, checkOfEach } from '../kit/check.ts';
import { failure, NotTestable } from '../kit/fault.ts';
import { freeText, isGone, updateFields } from '../kit/record/record-reads.ts';
import { attemptOnly } from '../kit/record/write-attempt.ts';
import { checksTokens, comesToShow, isListed, lastingId, onReads, onRecords } from './common.ts';

/** A request of an operation with a header on that is usually off, or off (null) that is usually on. */
interface Case {
  readonly op: Op;
  readonly header: RequestHeader;
  readonly value: string | null;
  /** What tells it from the other cases of the header, for its name. */
  readonly kind?: 'made-up' | 'alone' | 'xml' | 'charset';
}

/** A token that no target has given: one that checks none takes it. */
const MADE_UP = 'CFM0123456789ABCDEF';

/** What a body is, is said by its Content-Type: those of bodies have checks of their own (body/*). */
const isOfBody = (op: Op, header: RequestHeader): boolean => header === 'contentType' && OPS[op].body !== null;

type Value = Pick<Case, 'value' | 'kind'>;

/** What a header of an operation is tried with; null is off. */
function valuesOf(family: Family, op: Op): Readonly<Record<RequestHeader, readonly Value[]>> {
  const isRead = OPS[op].method === 'GET';
  const otherTypes: readonly Value[] = [
    { kind: 'xml', value: 'application/xml' },
    { kind: 'charset', value: 'application/json;charset=UTF-8' },
  ];
  return {
    // The form of the body that a read does not have is not that of its answer.
    contentType: [{ value: null }, ...(isRead ? otherTypes : [])],
    accept: [{ value: null }],
    ersMediaType: [{ value: vendorFacts(family.name).mediaType }],
    csrfToken: [{ value: 'fetch' }, { value: MADE_UP, kind: 'made-up' }, { value: 'fetch', kind: 'alone' }],
  };
}

const nameOf = ({ op, header, kind }: Case) => [op, header, ...(kind === undefined ? [] : [kind])].join('.');

/** Each header of each operation, off if usually sent, else on; the Content-Type of a request without a body in its other forms too. */
export const casesOf = (ops: readonly Op[], headers: readonly RequestHeader[]) => (family: Family) =>
  ops
    .filter((op) => hasOp(family, op))
    .flatMap((op) =>
      HEADERS_ALLOWED[OPS[op].headers]
        .filter((header) => headers.includes(header) && !isOfBody(op, header))
        .flatMap((header) => valuesOf(family, op)[header].map((value): Case => ({ op, header, ...value }))),
    )
    .map((data) => ({ name: nameOf(data), data }));

type Headers = NonNullable<RequestInput['headers']>;

/** What a case changes of the other headers, the most first: one that comes alone has those beside it that the target needs. */
function waysBeside({ run }: CheckContext, { op, kind }: Case): readonly Headers[] {
  const usual: readonly RequestHeader[] = kind === 'alone' ? ['contentType', 'accept'] : [];
  const off = usual.filter((each) => !isOfBody(op, each) && run.habit(op)[each] === undefined);
  const ways = [...(off.length > 1 ? [off] : []), ...off.map((each) => [each]), []];
  return ways.map((left) => Object.fromEntries(left.map((each) => [each, null])));
}

/** The answer to a case, where the same is taken without its header. Throws `Blocked` if it never is. */
async function answerTo(
  context: CheckContext,
  one: Case,
  ask: (headers: Headers) => Promise<Exchange>,
  [beside = {}, ...others] = waysBeside(context, one),
): Promise<Exchange> {
  const answer = await ask({ ...beside, [one.header]: one.value });
  if (isSuccess(answer)) return answer;
  // What was there for the usual request may be gone by now.
  const plain = await ask(beside);
  if (!isSuccess(plain) && others.length > 0) return answerTo(context, one, ask, others);
  prerequisite(plain);
  return answer;
}

/** The case against what this run sends: a header that the target was found to refuse is on in the case, and off otherwise. */
const against = ({ run }: CheckContext, one: Case): Case =>
  run.habit(one.op)[one.header] === undefined ? one : { ...one, value: 'application/json' };

/** What the family answers to a read with the usual headers: asked once for all cases of an operation. */
async function usualRead(context: CheckContext, op: Op) {
  const usual = await context.run.shared(`usual-${op}`, async (scope) => {
    const input: RequestInput = op === 'read' ? { id: await lastingId({ ...context, ...scope }) } : {};
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

/** A read is taken with the header. What its answer holds then, the pairs hold against what was written. */
async function runRead(context: CheckContext, given: Case): Promise<undefined> {
  const one = against(context, given);
  const { input, plain } = await usualRead(context, one.op);
  const answer = await answerTo(context, one, (headers) => context.send(one.op, { ...input, headers }));
  judgeAnswer(one, answer);
  // Which of the two says in what form an answer comes is not shown.
  const isOfForm = one.header === 'accept' || one.header === 'contentType';
  const isLike = isObject(answer.json) || !isObject(plain.json) || isOfForm || one.kind === 'alone';
  const isSame = isLike && (answer.body.length > 0 || plain.body.length === 0);
  if (!isSame) throw answerFailure('an answer with a body', answer, `header ${one.header}`);
  context.witness('pairs');
}

/** True if a create is taken with the token or the media type that another write was refused for. */
async function takesValue(context: CheckContext, { op, header, value }: Case, answer: Exchange): Promise<boolean> {
  const isOfToken = header === 'csrfToken' && isForbidden(answer);
  const isOfValue = isOfToken || (header === 'ersMediaType' && value !== null && refusesMedia(answer));
  if (op === 'create' || !isOfValue) return false;
  return isSuccess((await attemptOnly(context, { headers: { [header]: value } })).exchange);
}

async function runWrite(context: CheckContext, given: Case): Promise<undefined> {
  const one = against(context, given);
  const own = await context.fixture();
  if (one.op === 'create') {
    let isThere = false;
    const exchange = await answerTo(context, one, async (headers) => {
      const tried = await attemptOnly(context, { headers });
      isThere = tried.wasThere;
      return tried.exchange;
    });
    judgeAnswer(one, exchange);
    if (!isThere)
      throw answerFailure('a record, as without the header', exchange, `header ${one.header}`, 'there is none');
  } else {
    const changes = freeText(context, `headers ${context.run.prefix}`, own);
    const input = { id: own.id, ...(one.op === 'update' ? { fields: updateFields(own, changes) } : {}) };
    const answer = await answerTo(context, one, (headers) => context.send(one.op, { ...input, headers }));
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
