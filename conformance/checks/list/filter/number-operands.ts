import type { Operator } from '../../../../lib/contract/list.ts';
import { type Check, checkOfEach } from '../../../kit/check.ts';
import { CheckFailure, NotTestable } from '../../../kit/fault.ts';
import { kindOf } from '../../../kit/list/value.ts';
import { guardAgainstChurn, listGroup } from '../shared/list-group.ts';
import { labelOf } from '../shared/population.ts';
import { ask, fieldCase, judged, knownIn } from './filter-cell.ts';

/** Where numbers of a fixed width end: operands around them, and operands that are a small value modulo one of them. */
const WIDTHS = [2 ** 8, 2 ** 15, 2 ** 16, 2 ** 31, 2 ** 32] as const;
const OPERATORS: readonly Operator[] = ['EQ', 'NEQ', 'GT', 'LT'];

/** Operands for a field: both sides of each width, and each width beyond the smallest value that a record holds. */
function operandsOf(values: readonly number[]): readonly number[] {
  const least = Math.min(...values);
  return [...new Set(WIDTHS.flatMap((width) => [width - 1, width, width + least]))];
}

/** A filter on a number compares numbers, whatever their size. */
const numberOperands = checkOfEach<{ readonly field: string; readonly operator: Operator }>({
  id: 'filter/number-operands',
  title: 'a filter on a number keeps the right records around the limits of 8, 15, 16, 31 and 32 bits',
  requirement: 'FOP-EQ',
  level: 'stated',
  appliesTo: (family) =>
    family.ops.includes('list') && family.filters.some((field) => kindOf(family, field) === 'integer'),
  variants: (family) =>
    family.filters
      .filter((field) => kindOf(family, field) === 'integer')
      .flatMap((field) =>
        OPERATORS.map((operator) => ({
          name: `${field}.${operator}`,
          requirement: `FOP-${operator}`,
          data: { field, operator },
        })),
      ),
  dependsOn: ['list/envelope', 'list/complete'],
  needs: 'read',
  async run(context, { field, operator }) {
    const group = await listGroup(context);
    const on = await fieldCase(context, group, field);
    let asked = 0;
    for (const operand of operandsOf(on.having.map(({ values }) => Number(values[field])))) {
      const value = String(operand);
      const result = await ask(on, operator, value);
      // Whether an operand may lie outside the range of the field is not stated: a refusal decides nothing.
      if (result.refused !== undefined) continue;
      asked += 1;
      const difference = judged(on, operator, value, result, 'sensitive');
      context.witness('matched', knownIn(on.population, result).size);
      context.witness('asked');
      if (difference === undefined) continue;
      for (const exchange of result.exchanges) context.evidence.add(exchange);
      await guardAgainstChurn(group, on.population);
      const label = labelOf(on.population, field);
      throw new CheckFailure({
        expected: `the records whose ${field} fits filter=${field}.${operator}.${value}`,
        observed: `${difference.missing.length} missing, ${difference.extra.length} too many of ${on.having.length}`,
        about: { kind: 'records', operation: 'list', subject: `filter ${field}.${operator}` },
        difference: { missing: difference.missing.map(label), extra: difference.extra.map(label) },
      });
    }
    if (asked === 0)
      throw new NotTestable('the target takes none of these operands', 'a target that takes operands of any size');
    return undefined;
  },
});

export const numberOperandChecks: readonly Check[] = [numberOperands];
