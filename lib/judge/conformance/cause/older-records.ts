import { OPS } from '../../../contract/operations.ts';
import type { Op } from '../../../contract/types.ts';
import type { ConformanceResult, ExchangeRecord } from '../../../records/conformance.ts';
import type { DifferenceKind } from '../../../records/vocabulary.ts';

// Results of older versions say in words alone what a failure is about, and the names of causes in baselines that they
// wrote rest on those words. Only this file reads words; nothing new may rest on them.

type Sent = Pick<ExchangeRecord, 'operation' | 'method' | 'path'>;
export type Exchanges = ReadonlyMap<string, Sent>;

const ANSWERED = /(?:answered |^(?=\d{3} [{<]))(\d{3})\b([\s\S]*)/;

/** Kind of a failure by what was observed. */
export function kindByWords({
  difference,
  observed = '',
  reason = '',
}: Pick<ConformanceResult, 'difference' | 'observed' | 'reason'>): DifferenceKind {
  if (difference !== undefined && difference.missing.length + difference.extra.length > 0) return 'records';
  const words = observed === '' ? reason : observed;
  const answered = ANSWERED.exec(words);
  if (answered !== null) {
    if (Number(answered[1]) >= 400) return 'refused';
    return /, and /.test(answered[2] ?? '') ? 'no-effect' : 'accepted';
  }
  if (/\d+ (of them|missing|too many|records)\b/.test(words)) return 'records';
  return /\b(absent|missing)\b/.test(words) ? 'missing' : 'value';
}

const OPERATIONS = OPS as Readonly<Record<string, { readonly code: string; readonly mutates: boolean } | undefined>>;

/** The operation that the variant of a check begins with: `clear-by-mac` is about clear. */
function variantOperation({ variant }: ConformanceResult): string | undefined {
  const word = variant?.split('-')[0];
  return word !== undefined && word in OPS ? word : undefined;
}

/**
 * Operation that a failure is about: the one that its requirement or variant names, the request that it quotes, or the
 * last write among its exchanges.
 */
export function operationByWords(result: ConformanceResult, exchanges: Exchanges): string | undefined {
  const { requirement, observed = '' } = result;
  const code = /^OP-.+-([^-]+)$/.exec(requirement)?.[1] ?? /^PAY-([CU])$/.exec(requirement)?.[1];
  const named = (Object.keys(OPS) as Op[]).find((op) => OPERATIONS[op]?.code === code);
  if (named !== undefined) return named;
  if (/^(LST|FOP|LIST)-/.test(requirement)) return 'list';
  const sent = result.evidence.flatMap((id) => exchanges.get(id) ?? []);
  const quoted = sent.find(({ method, path }) => observed.startsWith(`${method} ${path} `))?.operation;
  const writes = sent.map(({ operation }) => operation).filter((op) => OPERATIONS[op]?.mutates === true);
  // A check that makes a record deletes it in the end: the delete says nothing about what it looked at.
  const lastWrite = writes.findLast((op) => op !== 'delete') ?? writes.at(-1);
  return variantOperation(result) ?? quoted ?? lastWrite ?? sent.at(-1)?.operation;
}

/** Requirements that speak of several operations: the operation is part of the name. */
const BY_OPERATION = /^(SPC|SVC)-/;

/** Failures that one answer shows; older versions recorded their kind and operation. */
const OF_AN_ANSWER: ReadonlySet<string> = new Set(['refused', 'accepted', 'no-effect']);

/** Name that older versions gave to the cause of a failure, as their baselines have it: `FOP-EQ/records`. */
export function formerName(result: ConformanceResult, pattern: string, exchanges: Exchanges): string {
  const { failure, observed = '' } = result;
  const byWords = kindByWords(result);
  const isRecorded = failure !== undefined && OF_AN_ANSWER.has(failure.kind) && OF_AN_ANSWER.has(byWords);
  const told = isRecorded && /^[A-Z]+ \S+ answered /.test(observed);
  const operation = told
    ? (variantOperation(result) ?? failure.operation)
    : BY_OPERATION.test(pattern)
      ? operationByWords(result, exchanges)
      : undefined;
  const kind = told ? failure.kind : byWords;
  return [pattern, ...(BY_OPERATION.test(pattern) && operation !== undefined ? [operation] : []), kind].join('/');
}
