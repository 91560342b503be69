import type { Failed } from './causes.ts';
import { answerMark, answerOf, lacks, parametersOf, type Shown, shortListOf } from './shown.ts';

/** Subjects that say nothing particular of the request. */
export const PLAIN: ReadonlySet<string> = new Set(['request', 'record', 'list', 'envelope', 'pages', 'version']);

/** What is shown otherwise than it should be; refusals and answers without effect are other matters. */
export const CONTENT: ReadonlySet<string> = new Set(['records', 'missing', 'value']);

/** An operation of a family with its answer: what everything rests on that needs the operation. */
const stepMark = (...parts: readonly [family: string, operation: string, answer: string]) => `step|${parts.join('|')}`;
/** Writes of a history were answered with a success. */
const WRITTEN = answerMark({ exchange: { status: 200, responseHeaders: [] }, words: '' });
const LACKS = 'shows no';
const OTHER = 'shows another record';
const stepOf = (exchange: Shown['exchange']) => {
  const answer = shortListOf(exchange) ?? answerMark({ exchange, ...answerOf(exchange) });
  return stepMark(exchange.family, exchange.operation, answer);
};

/** What is broken for whatever rests on it: a plain operation, or a member that no record shows; undefined for anything particular. */
export function brokenStep({ failure: { kind, operation, subject }, shown, result }: Failed): string | undefined {
  if (shown === undefined) return undefined;
  const member = /^member (\S+)$/.exec(subject)?.[1];
  // Whatever an answer shows that is of another record is of that.
  if (kind === 'value' && member === 'id') return stepMark(result.family, OTHER, operation);
  if (kind === 'missing' && member !== undefined) return stepMark(result.family, LACKS, member);
  if (!PLAIN.has(subject) || shown.exchange.operation !== operation) return undefined;
  if (CONTENT.has(kind) && shortListOf(shown.exchange) !== undefined) return stepOf(shown.exchange);
  const isBroken = kind === 'refused' || kind === 'no-effect' || shown.refused;
  return isBroken && parametersOf(shown.exchange).length === 0 ? stepOf(shown.exchange) : undefined;
}

/** Marks of what a failure rests on of what is broken. */
export function stepsOf(
  { result: { family }, failure, shown, written = [] }: Failed,
  broken: ReadonlySet<string>,
): readonly string[] {
  const sent = shown === undefined ? [] : [...shown.beside, shown.exchange];
  const other = CONTENT.has(failure.kind) ? [stepMark(family, OTHER, failure.operation)] : [];
  const steps = [...other, ...sent.map(stepOf), ...written.map((operation) => stepMark(family, operation, WRITTEN))];
  // A refusal says itself why: what other answers lack is another fault.
  const members = (shown?.refused === true ? [] : [...broken]).filter((step) => {
    const [, of, what, member = ''] = step.split('|');
    return what === LACKS && of === family && sent.some((exchange) => lacks(exchange, member));
  });
  return [...steps.filter((step) => broken.has(step)), ...members];
}
