import { expect, it } from 'vitest';
import { besides } from '../../../../conformance/driver/operands.ts';
import type { Known } from '../../../../conformance/model/history.ts';
import { matches } from '../../../../conformance/model/match.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import type { Filter } from '../../../../lib/wire/query.ts';

const family = FAMILIES.sgt;
const NAMES = ['cfmax', 'cfmay', 'cfmbx', 'cfmby', 'cfmcx', 'cfmcy'];
const records = NAMES.map((name, at): Known => {
  const fields = { name, value: 100 + 7 * at, description: `group${'xyz'[at % 3]}` };
  const last = { kind: 'create', family: 'sgt', id: name, sent: fields, form: 'json', end: 'done' } as const;
  return { family: 'sgt', id: name, isLive: true, fields, former: {}, last };
});
const comparing = { caseRule: undefined };
const holds = (filter: Filter, { fields }: Known) => matches(family, fields, filter, comparing) === true;

const ASKED: readonly Filter[] = [
  { field: 'value', operator: 'EQ', value: '-1' },
  { field: 'value', operator: 'GT', value: '-1' },
  { field: 'name', operator: 'NEQ', value: 'nobodyhasthis' },
  { field: 'name', operator: 'EQ', value: 'cfmbx' },
  { field: 'name', operator: 'EQ', value: 'roup' },
  { field: 'name', operator: 'STARTSW', value: 'cfmb' },
  { field: 'description', operator: 'NENDSW', value: 'x' },
];

it.each(
  ASKED.flatMap((asked) => (['and', 'or'] as const).flatMap((join) => [2, 3].map((count) => ({ asked, join, count })))),
)(
  'lets a wrong answer to $asked.field $asked.operator $asked.value show: $join of $count',
  ({ asked, join, count }) => {
    const [first, ...others] = besides(family, records, [asked], { count, join, comparing });
    expect([first, others.length]).toEqual([asked, count - 1]);
    // What the others let through, or leave out, the first alone decides.
    const isDecided = (known: Known) =>
      join === 'and' ? others.every((each) => holds(each, known)) : !others.some((each) => holds(each, known));
    expect(records.some(isDecided)).toBe(true);
  },
);
