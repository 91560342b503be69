import { describe, expect, it } from 'vitest';
import { filterOf } from '../../../../conformance/driver/operands.ts';
import { PLAIN_TOKENS } from '../../../../conformance/kit/list/seeded-records.ts';
import type { Known } from '../../../../conformance/model/history.ts';
import { matches } from '../../../../conformance/model/match.ts';
import { joinLooks, operatorLooks } from '../../../../conformance/plans/obvious/list-looks.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { OPERATOR_NAMES, type Operator } from '../../../../lib/contract/list.ts';

const family = FAMILIES.sgt;
const records = PLAIN_TOKENS.map((token, at): Known => {
  const sent = { name: `cfm1${token}`, description: token };
  return {
    ...{ family: 'sgt', id: String(at), isLive: true, fields: sent, former: {} },
    last: { kind: 'create', family: 'sgt', id: String(at), sent, form: 'json', end: 'done' },
  };
});

/** Records that must be shown, by operand. */
function kept(field: string, asked: Operator, operator: Operator): readonly string[] {
  return operatorLooks(family, field, asked, 20).flatMap((look) => {
    const [criterion] = look.query.criteria;
    const about = records[Number(look.about.slice(1))];
    const filter = criterion && filterOf(family, criterion, [...(about ? [about] : []), ...records]);
    if (filter === undefined) return [];
    const rule = { caseRule: 'sensitive' } as const;
    const shown = records.filter(({ fields }) => matches(family, fields, { ...filter, operator }, rule) === true);
    return [`${filter.value}: ${shown.map(({ id }) => id).join()}`];
  });
}

const TEXT_OPERATORS = OPERATOR_NAMES.filter((each) => each !== 'GT' && each !== 'LT');

describe('operands that filters are asked for', () => {
  it.each(['name', 'description'])('tell every operator on %s from every other one', (field) => {
    for (const asked of TEXT_OPERATORS)
      for (const other of OPERATOR_NAMES.filter((each) => each !== asked))
        expect(kept(field, asked, asked), `${asked} and ${other}`).not.toEqual(kept(field, asked, other));
  });

  it.each(['name', 'description'])('let a match and a non-match on %s be seen for every operator', (field) => {
    for (const operator of TEXT_OPERATORS) {
      const shown = kept(field, operator, operator).map((each) => each.split(': ')[1]?.match(/\d+/g)?.length ?? 0);
      expect(Math.max(...shown.filter((count) => count < records.length)), operator).toBeGreaterThan(0);
    }
  });
});

it('every two fields are joined', () => {
  const joined = joinLooks(family, undefined, 20).map(({ query }) => query.criteria.map(({ field }) => field).join());
  const { filters } = family;
  const pairs = filters.flatMap((one, at) => filters.slice(at + 1).map((each) => `${one},${each}`));
  expect(joined).toEqual(expect.arrayContaining(pairs));
});
