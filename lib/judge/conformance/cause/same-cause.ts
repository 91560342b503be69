import { FAMILIES } from '../../../contract/families.ts';
import { ownRows } from '../../../contract/own-rows.ts';
import type { Family } from '../../../contract/types.ts';
import type { ConformanceResult } from '../../../records/conformance.ts';
import { differenceKind, type Exchanges, operationOf, requirementPattern, signatureOf } from './signature.ts';

/** Operators that a target usually gets right or wrong together. */
const MIRRORED: Readonly<Record<string, string>> = ownRows({
  'FOP-LT': 'FOP-GT',
  'FOP-ENDSW': 'FOP-STARTSW',
  'FOP-NENDSW': 'FOP-NSTARTSW',
});

/** Requirements that one mistake in walking a list breaks together. */
const WALKING = /^(LST-(NEXT|PAGE|SIZE)|LIST-GET|OP-\*-L|VIEW-PORTAL)$/;

const table: Readonly<Record<string, Family>> = FAMILIES;

/** Fields of the family that the failure speaks of. */
function fieldsNamed({ family, variant = '', expected = '', observed = '' }: ConformanceResult): readonly string[] {
  const fields = table[family]?.fields;
  if (fields === undefined || fields === 'unspecified') return [];
  const words = new Set(`${variant} ${expected} ${observed}`.match(/\w+/g));
  return Object.keys(fields).filter((name) => name !== 'id' && words.has(name));
}

/**
 * Marks of a failure: two failures with a mark in common probably have one cause. The first is its signature; the others
 * tie together requirements that one mistake breaks: the same field of a family, mirrored operators, the walk through a
 * list, and the effect of one write.
 */
export function marksOf(result: ConformanceResult, exchanges: Exchanges): readonly [string, ...string[]] {
  const { family, checkId } = result;
  const [kind, pattern, operation] = [
    differenceKind(result),
    requirementPattern(result),
    operationOf(result, exchanges),
  ];
  const isList = operation === 'list' || WALKING.test(pattern);
  const isValue = kind === 'missing' || kind === 'value';
  return [
    signatureOf(result, exchanges),
    isList ? `list ${pattern} ${family}` : `check ${pattern} ${checkId} ${family}`,
    ...(isValue && !isList ? fieldsNamed(result).map((field) => `field ${family} ${field} ${kind}`) : []),
    ...(MIRRORED[pattern] === undefined ? [] : [`${MIRRORED[pattern]}/${kind}`]),
    ...(WALKING.test(pattern) ? [`walk ${family} ${kind}`] : []),
    ...(isValue || isList || operation === undefined
      ? []
      : [`effect ${family} ${operation} ${kind === 'records' ? 'no-effect' : kind}`]),
  ];
}
