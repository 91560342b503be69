import { defined } from '../../../defined.ts';
import { connected, groupBy } from '../../../group-by.ts';
import { present } from '../../../present.ts';
import type { Cause } from '../../../records/answer.ts';
import { type ConformanceResult, resultKey } from '../../../records/conformance.ts';
import type { ResultReport } from '../../../records/report.ts';
import { brokenStep, CONTENT, PLAIN, stepsOf } from './broken-step.ts';
import { AS_BEFORE, AS_TEXT, CHARSET, type Distortion, distortionOf, MEMBER } from './distortion.ts';
import { type Failure, failureOf, failureText, subjectGroup, UNKNOWN_SUBJECT } from './failure.ts';
import { sentenceOf } from './sentence.ts';
import { answerMark, headerLeftOut, isTold, parametersOf, pathParts, type Shown } from './shown.ts';

export interface Failed {
  readonly result: ConformanceResult | ResultReport;
  readonly failure: Failure;
  readonly shown?: Shown | undefined;
  /** Operations by which the records it is about were written, where nothing else was recorded of that. */
  readonly written?: readonly string[];
}

const mark = (...parts: readonly string[]): string => parts.join('|');

/** Requirements of the way from page to page, which one fault breaks at one time. */
const OF_PAGES: ReadonlySet<string> = new Set(['LST-NEXT', 'LST-PAGE']);

/** Parameters by which a request differs from the plain one; a wordless refusal says nothing of the size of a page. */
function namesOf({ exchange, words }: Shown): readonly string[] {
  const names = parametersOf(exchange).map((one) =>
    one
      .toLowerCase()
      .replace(/=.*/s, '')
      .replace(/^sort.*/, 'sort'),
  );
  return [...new Set(names)].filter((name) => words !== '' || /^(filter|sort)/.test(name));
}

function refusalMarks(shown: Shown, subject: string): readonly string[] {
  const { method, operation, status } = shown.exchange;
  const answer = answerMark(shown);
  const names = namesOf(shown);
  // A page of a gateway answers whatever is asked.
  if (status < 300 && status > 0) return [`page ${answer}`];
  return present(
    // A parameter of a media type is one fault, whichever it is.
    !PLAIN.has(subject) &&
      mark(subjectGroup(subject).replace(/^media type (?:charset$|[^;]*;.*)/, 'media type ;'), answer),
    PLAIN.has(subject) && names.length === 0 && [method, ...pathParts(shown.exchange), answer].join('/'),
    ...names.map((name) => mark(operation, name, answer)),
    headerLeftOut(subject, shown) !== undefined && mark('bare', answer),
  );
}

/** True for a record that is missing, in a list or in a read: a list that leaves it out is one fault with an address that is not found. */
const isAbsent = ({ failure: { kind, operation }, shown, result }: Failed): boolean =>
  kind === 'records'
    ? result.failure?.times === 0
    : kind === 'no-effect' && operation === 'read' && shown?.exchange.status === 404;

/** The mark of what a target makes of a member's values; an update that changes nothing does so to every member, and what writes a value as a text to each of that type. */
const distortionMark = ({ family, member, how, sent }: Omit<Distortion, 'isOther' | 'seen' | 'isCut'>) =>
  mark('made of', family, [AS_BEFORE, CHARSET].includes(how) ? '*' : how === AS_TEXT ? typeof sent : member, how);

/** The distortion that a failure shows, or that of the member which its list is filtered or sorted by, or its schema is about. */
function distortionMarks(one: Failed, distortions: readonly Distortion[]): readonly string[] {
  const { kind, operation, subject } = one.failure;
  const { family } = one.result;
  const own = distortionOf(one);
  const unchanged = [distortionMark({ family, member: '*', how: AS_BEFORE, sent: '' })];
  // What was there before is not in the evidence of each failure.
  const isOld = own?.isOther && distortions.some((each) => each.family === family && each.how === AS_BEFORE);
  const { flaky, onlyIf = '', failure: { unsteady } = {} } = one.result;
  // What a member shows at times, or after another record was written, is of that: which text it is says nothing.
  const isStrange = own?.isOther && (flaky || unsteady !== undefined || onlyIf.startsWith('another record was '));
  if (own !== undefined) return isOld ? unchanged : [distortionMark(isStrange ? { ...own, how: 'strange' } : own)];
  if (kind === 'no-effect' && operation === 'update' && one.shown?.refused !== true && !PLAIN.has(subject))
    return unchanged;
  const field = /^(?:filter|sort|member) (\w+)/.exec(subject)?.[1];
  const type = /: (boolean|integer)/.exec(one.result.expected ?? '')?.[1]?.replace('integer', 'number');
  const isMeant = ({ member, how, sent }: Distortion) =>
    member === field || (field === 'name' && /Name$/.test(member)) || (how === AS_TEXT && typeof sent === type);
  const found = distortions.find((each) => each.family === family && isMeant(each));
  return CONTENT.has(kind) && found !== undefined && found.how !== AS_BEFORE ? [distortionMark(found)] : [];
}

/**
 * Two failures with a mark in common have one cause: the same shape of request with the same answer; a plain
 * operation that fails, and whatever rests on it; the same requirement in any family, or the same family in
 * any requirement, with the same operation, kind of difference and subject; a member whose values are shown
 * distorted in one way. Fields and operators of filters and sorts are one subject for a requirement.
 */
function marksOf(one: Failed, broken: ReadonlySet<string>, distortions: readonly Distortion[]): readonly string[] {
  const { shown } = one;
  const { family, onlyIf, failure: { state, unsteady } = {} } = one.result;
  const { requirement, operation, kind, subject } = one.failure;
  const isContent = CONTENT.has(kind);
  const isSort =
    subject.startsWith('sort') || (subject === 'view' && /^sort(asc|dsc)=/.test(one.result.expected ?? ''));
  // Two refusals in different words are two.
  const said = kind === 'refused' && shown?.refused === true ? answerMark(shown) : '';
  // The form of an address is one, in whatever member and answer.
  const member = requirement === 'RES-MAC' ? '*' : /^(?:member|number) (\w+)/.exec(subject)?.[1];
  // An operator and its negation are one subject, as are greater and less, and so is what a bulk request leaves undone.
  const about = subject
    .replace(/^bulk records$/, 'record')
    .replace(/^(filter \w+\.)(N(?=[A-Z])|LT$)/, (_, field, at) => `${field}${at === 'LT' ? 'GT' : ''}`);
  const isForm = /^(value|accepted|refused)$/.test(kind) && /^(RES|LIM)-/.test(requirement);
  const isOfPages = OF_PAGES.has(requirement) && subject === 'pages';
  const told = /^(create|update)$/.test(operation) && kind === 'value' && MEMBER.exec(one.result.expected ?? '')?.[1];
  return present(
    mark(requirement, operation, kind, subjectGroup(subject), said),
    subject !== UNKNOWN_SUBJECT && mark('in', family, operation, isContent ? 'content' : kind, about, said),
    // A value that the table does not allow is one fault, whichever request shows it; one that it does and is refused is another.
    isForm && member !== undefined && mark(kind === 'refused' ? 'refused form of' : 'form of', family, member),
    // What becomes of a value under one condition is one fault, whichever write brings it.
    told && onlyIf !== undefined && mark('value of', family, told, onlyIf.replace(/the (create|update) is/, 'it is')),
    // A view that does not follow an update is one fault, whatever of the record it shows.
    requirement.startsWith('VIEW-') && operation === 'update' && isContent && mark('view', requirement),
    // So is what is wrong under one condition, of the operand above all, whatever the operator and however filters are joined.
    isContent &&
      subject.startsWith('filter') &&
      onlyIf !== undefined &&
      mark('filters', family, /the operand .*|$/.exec(onlyIf)?.[0] || onlyIf),
    // And what a second page alone shows, whatever the list was asked for.
    isContent && onlyIf === 'the list takes more than one page' && mark('pages', family),
    // And so is what a header or a parameter makes of an answer, whatever was asked for.
    isContent && /^CNV-/.test(requirement) && onlyIf !== undefined && mark('carried', family, onlyIf),
    // A link that leads nowhere is one fault, whatever the list was asked for.
    (shown?.lost !== undefined || (requirement === 'LST-NEXT' && isContent) || isOfPages) && mark('link', family),
    (state === 'deleted' || (kind === 'no-effect' && operation === 'delete' && shown?.exchange.operation === 'read')) &&
      mark('deleted', shown?.exchange.family ?? family),
    // What finds a record under the name that it had has it in that place too.
    (state === 'former' || (isSort && onlyIf?.includes('renamed') === true)) && mark('former', family),
    // What is in the wrong order is not the other order turned round either.
    isContent && isSort && mark('sort', shown?.exchange.family ?? family),
    isAbsent(one) && mark('absent', requirement),
    // What is right and wrong by turns is one fault, whatever shows it: a cache, or one node of several.
    unsteady === 'by turns' && mark('by turns'),
    // What a write does to others is one fault, whichever family they are of.
    subject === 'other records' && shown !== undefined && mark('others', operation, shown.exchange.family),
    ...(shown?.refused === true ? refusalMarks(shown, subject) : []),
    ...stepsOf(one, broken),
    ...distortionMarks(one, distortions),
    isContent && subject.startsWith('filter') && broken.has(filtersMark(family)) && filtersMark(family),
  );
}

/** Operators of a family that answer with wrong records, from which on it is no matter of one of them. */
const FEW_OPERATORS = 3;
const filtersMark = (family: string) => mark('filters of', family);

/** Families in which filters are wrong whatever their operator, as marks. */
function brokenFilters(failed: readonly Failed[]): readonly string[] {
  const wrong = failed.filter(({ failure }) => failure.kind === 'records' && /^filter \S+$/.test(failure.subject));
  return [...groupBy(wrong, ({ result }) => result.family)].flatMap(([family, own]) => {
    const operators = new Set(own.map(({ failure }) => failure.subject.split('.').at(-1)));
    return operators.size < FEW_OPERATORS ? [] : [filtersMark(family)];
  });
}

const sorted = (values: Iterable<string>) => [...new Set(values)].sort((a, b) => a.localeCompare(b, 'en'));

const byFrequency = (values: readonly string[]): readonly string[] =>
  [...groupBy(values, (value) => value)]
    .sort(([a, some], [b, others]) => others.length - some.length || a.localeCompare(b, 'en'))
    .map(([value]) => value);

/** True if a create answers with the id of another record: what was sent to that record says nothing of its own operation. */
const isOtherRecord = ({ failure: { operation, kind, subject } }: Failed): boolean =>
  operation === 'create' && kind === 'value' && subject === 'record';

/** The condition that surveys found by trying each plainer request. It holds for others too, unless it is about the member's own value. */
function surveyedCondition(failed: readonly Failed[]): string | undefined {
  const found = failed.filter(({ result }) => result.checkId.startsWith('survey/'));
  const [onlyIf, ...others] = new Set(found.map(({ result }) => result.onlyIf));
  // Whatever the family calls the name of a record, a condition says `its name`.
  const told = (member = '') => (/name$/i.test(member) ? 'its name' : member);
  const isOfOwn = found.some((one) => onlyIf?.startsWith(`${told(distortionOf(one)?.member)} `));
  return others.length > 0 || isOfOwn ? undefined : onlyIf;
}

/** The failure that tells most of a cause: one that a refusal shows, of the plain operation, and that no second try made good. */
function exampleOf(failed: readonly Failed[]): Failed {
  const surveyed = surveyedCondition(failed);
  const votes = (condition: string | undefined) =>
    failed.filter(({ result: { onlyIf } }) => onlyIf === condition).length;
  // Of a failure without a condition, it need not have been looked for.
  const share = ({ result: { onlyIf } }: Failed) =>
    onlyIf === undefined
      ? Number(surveyed === undefined) / 4
      : (votes(onlyIf) + (onlyIf === surveyed ? votes(undefined) : 0)) / failed.length;
  const weight = (one: Failed) =>
    Number(isOtherRecord(one) || one.shown?.lost !== undefined) * 16 +
    Number(one.result.flaky !== true) * 8 +
    Number(one.shown?.refused === true) * 4 +
    Number(brokenStep(one) !== undefined || distortionOf(one) !== undefined) * 2 +
    Number(
      one.failure.kind === 'missing' ||
        (one.result.failure?.state !== undefined && /^filter /.test(one.failure.subject)),
    ) +
    Number(one.shown !== undefined && isTold(one.shown.exchange, one.result.failure?.page)) +
    // Of failures that tell alike, the one whose request asks for least; then the one under the fewest and the most common conditions.
    1 / (2 + (one.shown === undefined ? 100 : parametersOf(one.shown.exchange).length)) -
    (one.result.onlyIf?.split(', ').length ?? 1) / 1e4 +
    share(one) / 1e6;
  const [best] = failed.map((one) => [one, weight(one)] as const).sort(([, a], [, b]) => b - a);
  return best?.[0] as Failed;
}

function causeOf(failed: readonly Failed[], example = exampleOf(failed)): Omit<Cause, 'expected'> {
  const [results, failures] = [failed.map(({ result }) => result), failed.map(({ failure }) => failure)];
  const { operation, kind } = example.failure;
  const alike = failures.filter((failure) => failure.operation === operation && failure.kind === kind);
  const requirements = byFrequency(alike.map(({ requirement }) => requirement));
  const groups = [...new Set(byFrequency(alike.map(({ subject }) => subjectGroup(subject))))];
  // A plain operation that fails bears the name, however much else rests on it that night.
  const name =
    brokenStep(example) === undefined
      ? { requirement: requirements[0] ?? '', operation, kind, subject: groups.join(' and ') }
      : { ...example.failure, subject: subjectGroup(example.failure.subject) };
  return {
    id: failureText(name),
    title: sentenceOf(example, failed),
    requirements: [...byFrequency(failures.map(({ requirement }) => requirement))],
    ...{ operation, kind, subjects: [...byFrequency(failures.map(({ subject }) => subject))] },
    families: sorted(results.map(({ family }) => family)),
    checks: sorted(results.map(({ checkId }) => checkId)),
    results: results.map(resultKey),
    example: { result: resultKey(example.result), ...defined({ exchange: example.shown?.exchange.id }) },
  };
}

/** Groups failures by probable cause. The largest cause comes first. */
export function causesOf(results: readonly Omit<Failed, 'failure'>[]): readonly Omit<Cause, 'expected'>[] {
  const failed = results.map((one): Failed => ({ ...one, failure: failureOf(one.result) }));
  const broken = new Set([...failed.flatMap((one) => brokenStep(one) ?? []), ...brokenFilters(failed)]);
  const distortions = failed.flatMap((one) => distortionOf(one) ?? []);
  const groups = connected(failed, (one) => marksOf(one, broken, distortions));
  // What reads alike is one cause for whoever reads it.
  const alike = groupBy(groups, (group) => {
    const example = exampleOf(group);
    return example.shown === undefined ? causeOf(group, example).id : sentenceOf(example, group, 'alike');
  });
  return [...alike.values()]
    .map((same) => causeOf(same.flat()))
    .sort((a, b) => b.results.length - a.results.length || a.id.localeCompare(b.id, 'en'));
}
