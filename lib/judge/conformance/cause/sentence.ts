import { type FailureDetails, UNSTEADY } from '../../../records/conformance.ts';
import type { DifferenceKind } from '../../../records/vocabulary.ts';
import { counted, idIn, short, some, withoutIds } from '../../../text.ts';
import { addressOf, othersLike, sentAs, type Told } from './address.ts';
import type { Failed } from './causes.ts';
import { AS_BEFORE, CUT, type Distortion, distortionOf, MEMBER } from './distortion.ts';
import {
  headerLeftOut,
  headerWords,
  isMutating,
  OF_READS,
  pathParts,
  REFUSED,
  type Shown,
  shortListOf,
} from './shown.ts';

const LONGEST = 80;

const KIND_WORDS: Readonly<Record<DifferenceKind, string>> = {
  refused: 'refused',
  accepted: 'accepted against the rules',
  'no-effect': 'success without effect',
  records: 'wrong records',
  missing: 'missing',
  value: 'wrong value',
};

const isXml = ({ requestHeaders }: Shown['exchange']): boolean =>
  requestHeaders.some(([name, value]) => /^content-type$/i.test(name) && /xml/.test(value));

/** What a target makes of a member's values: what was sent, and what is shown. */
function distortionText(
  { member, how, sent, seen, isCut }: Distortion,
  { shown, result, failure }: Failed,
  answered: string,
  onlyXml: boolean,
): string {
  const values = [sent, seen].map((value) => short(JSON.stringify(value), LONGEST));
  // A list may show what a read does not, and one form of a read what another does not.
  const isKept = how === AS_BEFORE && shown?.exchange.operation !== 'list' && !OF_READS.test(failure.requirement);
  const update = isKept ? shown?.beside.findLast(({ operation }) => operation === 'update') : undefined;
  if (update !== undefined)
    return `${update.method} /${pathParts(update).join('/')}${isXml(update) ? ' in XML' : ''} answers ${update.status} and leaves ${member} as it was: ${values[0]} was sent, ${values[1]} is still there`;
  const length = how === CUT && !isCut ? ` to ${counted([...String(seen)].length, 'character')}` : '';
  const form = onlyXml || / in XML$/.test(result.expected ?? '') ? ' in XML' : '';
  return `${answered}, ${member} of ${result.family} ${how}${length}${form}: ${values[0]} was sent, ${values[1]} is shown`;
}

/** `filters joined by and` for the subject `filters and`. */
const subjectWords = ({ subject }: Failed['failure']): string =>
  subject.replace(/^filters (and|or)$/, 'filters joined by $1');

/** How the oracle names a record that a list must or must not show. */
const RECORD_IN_LIST = /(?:^| without )the record (\{.*\}) \(\S+\)/;

/** What is wrong about the record that a list shows, or leaves out. */
function recordWords({ times, state }: Partial<FailureDetails> = {}): string {
  if (times === undefined) return KIND_WORDS.records;
  if (times > 1) return 'shows a record more than once';
  if (times === 0) return `leaves out a record${state === undefined ? '' : ', as before it was updated'}`;
  if (state === 'deleted') return 'shows a record that was deleted';
  return `shows a record ${state === undefined ? 'that it should not' : 'as before it was updated'}`;
}

function kindWords({ failure: { kind, operation, subject }, result: { failure }, shown }: Failed): string {
  const isTaken = shown !== undefined && Math.floor(shown.exchange.status / 100) === 2;
  if (kind === 'refused' && isTaken) return 'without what was asked for';
  if (kind === 'no-effect' && operation === 'delete' && isTaken && shown.exchange.operation === 'read')
    return 'shows the record';
  if (kind === 'value' && operation === 'create' && subject === 'record') return 'with the id of another record';
  if (subject === 'other records' && kind === 'no-effect') return 'changes a record that it does not name';
  if (subject === 'other records' && kind === 'records' && failure?.times === undefined)
    return 'shows a record that no create of the run was answered with';
  return kind === 'records' ? recordWords(failure) : KIND_WORDS[kind];
}

/** What was expected or seen, short: without ids of records, and without the request and the answer that the sentence has named. */
function brief(text: string, { exchange }: Shown, expected: string): string {
  const { method, status } = exchange;
  const said = new RegExp(`^${method} \\S+ answered ${status}, (?:and )?`);
  const own = idIn(exchange.path) ?? idIn(expected);
  return short(withoutIds(text.replace(said, ''), own).replaceAll(' ({id})', ''), LONGEST);
}

/**
 * The first sentence of a cause: a request that was sent, the answer, the server's own words and the condition, as far as they are
 * recorded, and how many more there are. `alike`: what all requests have in common instead, which reads the same for the same fault.
 */
export function sentenceOf(example: Failed, failed: readonly Failed[], as: 'sent' | 'alike' = 'sent'): string {
  const { shown } = example;
  const { onlyIf, flaky, failure: { unsteady } = {} } = example.result;
  const [fact, more] = plainSentence(example, failed, as);
  // Without which header it is, the request has said.
  const isBare = shown !== undefined && headerLeftOut(example.failure.subject, shown) !== undefined;
  const isSaid = isBare && /^the \w+ is sent with no \S+$/.test(onlyIf ?? '');
  const condition = onlyIf === undefined || isSaid || shown?.lost !== undefined ? '' : `, only if ${onlyIf}`;
  const isAtTimes =
    condition === '' &&
    failed.some((one) => one.result.flaky && one.shown?.exchange.operation === shown?.exchange.operation);
  const again = flaky ? ', but not when it was tried again' : isAtTimes ? ', but not each time' : '';
  // What does not come again has no condition.
  return `${fact}${unsteady === undefined ? `${condition}${again}` : `, ${UNSTEADY[unsteady]}`}${more}`;
}

function plainSentence(example: Failed, failed: readonly Failed[], as: 'sent' | 'alike'): readonly [string, string] {
  const { shown, failure, result } = example;
  const subjects = some([...new Set([failure, ...failed.map((one) => one.failure)].map(subjectWords))], 3);
  const kind = kindWords(example);
  if (shown === undefined) return [`${result.title}: ${kind} in ${failure.operation} (${subjects})`, ''];
  const { method, path } = shown.exchange;
  if (shown.lost !== undefined)
    return [`${method} ${path} answers ${shown.exchange.status} with a link to the next page that ${shown.lost}`, ''];
  const { status, operation } = shown.exchange;
  const isBare = headerLeftOut(failure.subject, shown) !== undefined;
  const alike = failed.flatMap((one): Told[] =>
    one.shown?.exchange.status === status &&
    (one.shown.exchange.operation === operation ||
      (isBare && headerLeftOut(one.failure.subject, one.shown) !== undefined))
      ? [{ ...one, shown: one.shown }]
      : [],
  );
  const sent = alike.map((one) => one.shown);
  const pattern = addressOf({ ...example, shown }, sent);
  const where = `${as === 'sent' ? sentAs(shown) : pattern}${headerWords(example, alike)}`;
  const fact = factOf({ ...example, shown }, { where, subjects, kind, alike });
  if (failed.every((one) => one.failure.subject === 'parallel requests')) {
    const write = shown.beside.findLast((each) => isMutating(each.operation));
    const lost =
      failure.kind === 'no-effect' && status === 404 && write !== undefined
        ? `${write.method} /${pathParts(write).join('/')} answers ${write.status}, and the record is not there: `
        : '';
    const isSaid = result.onlyIf?.endsWith('at the same time') === true;
    return [`${lost}${fact}${isSaid ? '' : ', if requests run at the same time'}`, ''];
  }
  return [fact, as === 'sent' ? othersLike(pattern, sent) : ''];
}

interface Seen {
  readonly where: string;
  readonly subjects: string;
  readonly kind: string;
  readonly alike: readonly Told[];
}

function factOf(example: Told, { where, subjects, kind, alike }: Seen): string {
  const { shown, failure, result } = example;
  const { status, operation } = shown.exchange;
  const answers = status === 0 ? 'gets no answer' : `answers ${status}`;
  if (shown.refused) {
    // A view shows the records of several families.
    const isOfOne =
      failure.requirement.startsWith('VIEW-') && alike.every((one) => one.result.family === result.family);
    const whose = isOfOne && result.family !== shown.exchange.family ? ` for a record of ${result.family}` : '';
    const led = failure.requirement === 'LST-NEXT' ? ', where the link to the next page leads' : '';
    const done = operation === 'create' ? 'makes the record' : 'changes the record';
    const despite = failure.subject === REFUSED ? `, and ${done} all the same` : '';
    const isOfXml = alike.every((one) => isXml(one.shown.exchange)) && !/\bXML\b/i.test(`${where}${result.onlyIf}`);
    return `${where}${isOfXml ? ' in XML' : ''}${whose} ${answers}${shown.words === '' ? '' : ` "${shown.words}"`}${led}${despite}`;
  }
  if (failure.kind === 'no-effect' && !isMutating(failure.operation))
    return `${where} ${answers}, and not with the record: ${short(shown.exchange.responseBody, 2 * LONGEST)}`;
  const { expected = '', observed = '' } = result;
  const distortion = distortionOf(example);
  const onlyXml = isMutating(operation) && alike.every((one) => isXml(one.shown.exchange));
  // What a view still shows, the update may well have changed.
  if (distortion !== undefined && !expected.endsWith(' of a view'))
    return distortionText(distortion, example, `${where} ${answers}`, onlyXml);
  // The address tells the operation, unless a read shows what a write did.
  const after = failure.operation !== operation && isMutating(failure.operation) ? ` after ${failure.operation}` : '';
  // A list that ends too early says how: the record that it lacks is any.
  const list = result.failure?.times === 0 ? shortListOf(shown.exchange) : undefined;
  const cut = list === 'cut' ? ' without nextPage, though total is larger' : '';
  const listed = failure.kind === 'records' ? RECORD_IN_LIST.exec(expected)?.[1] : undefined;
  // A view shows the records of several families.
  const what = shown.exchange.family === result.family ? kind : kind.replace('a record', `$& of ${result.family}`);
  if (listed !== undefined)
    return `${where} ${answers}${cut}, ${what}${after} (${subjects}): ${short(listed, LONGEST)} is ${observed}`;
  const [, member, value] = (failure.subject.startsWith('member ') ? MEMBER.exec(expected) : null) ?? [];
  if (member !== undefined && value !== undefined) {
    const [, items] = /^(\d+ of \d+ items|\d+ items instead of \d+), /.exec(observed) ?? [];
    if (items !== undefined) return `${where} ${answers}${after}, ${member} of ${result.family} shows ${items}`;
    const seen = observed === 'absent' ? 'no value' : short(observed, LONGEST);
    const form = onlyXml && !/\bXML\b/.test(`${where}${result.onlyIf}`) ? ' in XML' : '';
    return `${where}${form} ${answers}${after}, ${member} of ${result.family} should be ${short(value, LONGEST)}, and ${seen} is shown`;
  }
  return `${where} ${answers}${cut}, ${kind}${after} (${subjects}): expected ${brief(expected, shown, expected)}; observed ${brief(observed, shown, expected)}`;
}
