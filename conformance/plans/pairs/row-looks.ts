import type { Operator } from '../../../lib/contract/list.ts';
import { BYSTANDER } from '../../driver/session.ts';
import { type Criterion, type Look, type Part, PLAIN, type Query, type Step } from '../../steps/step.ts';
import type { Row } from './factors.ts';
import { observed } from './observers.ts';
import { carried, listLook } from './row-values.ts';

function criteriaOf(row: Row): Pick<Query, 'criteria' | 'join'> | undefined {
  const { field, operator, operand = 'whole', criteria = 'one', join = 'left out' } = row;
  if (field === undefined || operator === undefined) return undefined;
  const first: Criterion = { field, operator: operator as Operator, part: operand as Part };
  // What further criteria ask for is chosen by the records there are.
  const more =
    criteria === 'one'
      ? []
      : criteria === 'three'
        ? [other(field), other(field)]
        : [criteria === 'two' ? other(field) : criteria === 'two values' ? { ...first, of: BYSTANDER } : first];
  return {
    criteria: [first, ...more],
    ...(join === 'left out' ? {} : { join: join === 'OR' ? ('or' as const) : ('and' as const) }),
  };
}

const other = (field: string): Criterion => ({ field: `not ${field}`, operator: 'EQ', part: 'whole' });

export const look = (each: Look, twice = false): Step => ({
  step: 'look',
  look: each,
  ...(twice ? { twice: true as const } : {}),
});
export const read = (who: string, form: 'json' | 'xml' = 'json', by?: string): Step =>
  look({ window: 'read', who, form, carried: carried(by) });

export const WHOLE: Step = look({
  window: 'list',
  on: 'own',
  about: 'subject',
  query: { criteria: [], paging: 'link', size: 100 },
  carried: PLAIN,
});

/** The row's own question to a list, with operands from a record. */
export function asked(row: Row, about: string): readonly Step[] {
  const criteria = criteriaOf(row);
  if (criteria === undefined) return [];
  return [look(listLook(row, { on: 'own', about, ...criteria }), row['looks'] === 'twice')];
}

/** The row's own question to a list, before and after the write, and what it looks at besides. */
export function looks(row: Row): {
  readonly before: readonly Step[];
  readonly after: readonly Step[];
  readonly observed: readonly Step[];
} {
  const level = row['looks'] ?? 'once';
  const once = asked(row, 'subject');
  return {
    before: level === 'before too' ? once : [],
    // Requests at one time go over several connections, one of them another than that of the write.
    after:
      level === 'other connection' && once.length > 0
        ? [{ step: 'together', steps: [read(BYSTANDER), read('#0'), ...once] }]
        : once,
    observed: observed(row),
  };
}
