import { OPS } from '../../../contract/operations.ts';
import type { Op } from '../../../contract/types.ts';
import type { ConformanceResult, ExchangeRecord } from '../../../records/conformance.ts';
import type { DifferenceKind } from '../../../records/vocabulary.ts';

const ANSWERED = /(?:answered |^(?=\d{3} [{<]))(\d{3})\b([\s\S]*)/;

/**
 * Kind of a failure: the request was refused, accepted against the rules, or accepted without its effect; a list held
 * other records; a value was missing or another one. Records of older runs, and failures that no single answer shows,
 * say so in words alone.
 */
export function differenceKind(result: ConformanceResult): DifferenceKind {
  const { difference, failure, observed = '', reason = '' } = result;
  if (failure !== undefined) return failure.kind;
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

/** A requirement with the family's name left out: `OP-sgt-C` is `OP-*-C`, so that one defect of twelve families is one cause. */
export function requirementPattern({ requirement, family }: Pick<ConformanceResult, 'requirement' | 'family'>): string {
  return requirement.replace(`-${family}-`, '-*-');
}

const OPERATIONS = OPS as Readonly<Record<string, { readonly code: string; readonly mutates: boolean } | undefined>>;

type Sent = Pick<ExchangeRecord, 'operation' | 'method' | 'path'>;
export type Exchanges = ReadonlyMap<string, Sent>;

/** The operation that the variant of a check begins with: `clear-by-mac` is about clear. */
function variantOperation({ variant }: ConformanceResult): string | undefined {
  const word = variant?.split('-')[0];
  return word !== undefined && word in OPS ? word : undefined;
}

/**
 * Operation that a failure is about: the one that its requirement or variant names, the request that it quotes, or the
 * last write among its exchanges.
 */
export function operationOf(result: ConformanceResult, exchanges: Exchanges): string | undefined {
  const { requirement, observed = '' } = result;
  const code = /^OP-.+-([^-]+)$/.exec(requirement)?.[1] ?? /^PAY-([CU])$/.exec(requirement)?.[1];
  const named = (Object.keys(OPS) as Op[]).find((op) => OPERATIONS[op]?.code === code);
  if (named !== undefined) return named;
  if (/^(LST|FOP|LIST)-/.test(requirement)) return 'list';
  if (result.failure !== undefined) return variantOperation(result) ?? result.failure.operation;
  const sent = result.evidence.flatMap((id) => exchanges.get(id) ?? []);
  const quoted = sent.find(({ method, path }) => observed.startsWith(`${method} ${path} `))?.operation;
  const writes = sent.map(({ operation }) => operation).filter((op) => OPERATIONS[op]?.mutates === true);
  // A check that makes a record deletes it in the end: the delete says nothing about what it looked at.
  const lastWrite = writes.findLast((op) => op !== 'delete') ?? writes.at(-1);
  return variantOperation(result) ?? quoted ?? lastWrite ?? sent.at(-1)?.operation;
}

/** Requirements that speak of several operations: the operation is part of the cause. */
const BY_OPERATION = /^(SPC|SVC)-/;

/** Name of a probable cause: `FOP-EQ/records`, or `SPC-ANC/clear/no-effect` where the requirement spans operations. */
export function signatureOf(result: ConformanceResult, exchanges: Exchanges): string {
  const pattern = requirementPattern(result);
  const operation = BY_OPERATION.test(pattern) ? operationOf(result, exchanges) : undefined;
  return [pattern, ...(operation === undefined ? [] : [operation]), differenceKind(result)].join('/');
}
