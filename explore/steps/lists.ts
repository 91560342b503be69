import { isPlain } from '../../conformance/kit/list/fragments.ts';
import { CASE_RULES, holds } from '../../conformance/kit/list/predicate.ts';
import { kindOf, type Value, valueIn } from '../../conformance/kit/list/value.ts';
import { shown } from '../../conformance/kit/record-reads.ts';
import { memberOf } from '../../lib/contract/vendor.ts';
import { isForbidden, isOverloaded } from '../../lib/wire/answer.ts';
import { walkList } from '../../lib/wire/list-walk.ts';
import type { Filter } from '../../lib/wire/query.ts';
import type { RequestInput } from '../../lib/wire/request.ts';
import type { Criterion, Operand, Step } from '../draw/step.ts';
import type { Difference } from '../model/difference.ts';
import { entryDifference } from '../model/look.ts';
import { type Held, nameOf, raise, refusedNow, settled, type World } from '../model/world.ts';

type ListStep = Extract<Step, { readonly kind: 'list' }>;

const turned = (text: string) => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase());

/** The operand as text: a part of a value that a record of the sequence holds, so that filters tell records apart. */
function operandText({ held }: World, member: string, { of, part, text }: Operand): string {
  const value = held[of % Math.max(1, held.length)]?.fields[member];
  if (part === 'pool' || value === undefined || typeof value === 'object') return text;
  const whole = String(value);
  const signs = [...whole];
  const third = Math.max(1, Math.floor(signs.length / 3));
  const parts = {
    whole,
    start: signs.slice(0, Math.max(1, signs.length - 2)).join(''),
    end: signs.slice(-third).join(''),
    middle: signs.slice(third, 2 * third).join(''),
    'other-case': turned(whole),
  };
  return parts[part] === '' ? whole : parts[part];
}

const NUMERIC = ['EQ', 'NEQ', 'GT', 'LT'];

/** The filter of a criterion; undefined where no request could ask it. */
function filterOf(world: World, { field: index, operator, operand }: Criterion): Filter | undefined {
  const { family } = world.context;
  const field = family.filters[index % family.filters.length];
  if (field === undefined) return undefined;
  const value = operandText(world, memberOf(family.name, field), operand);
  if (value.trim() === '') return undefined;
  const kind = kindOf(family, field);
  if (kind === 'integer' && NUMERIC.includes(operator) && !/^-?\d{1,12}$/.test(value)) return undefined;
  if (kind === 'boolean' && (operator === 'GT' || operator === 'LT' || !/^(true|false)$/.test(value))) return undefined;
  return { field, operator, value };
}

/** What every reading of the specification says of a record; undefined where readings differ. */
function verdict({ context, held }: World, { fields }: Held, { field, operator, value }: Filter): boolean | undefined {
  const kind = kindOf(context.family, field);
  const got: Value | undefined = valueIn(fields, memberOf(context.family.name, field), kind);
  void held;
  // What an absent value is compared as is not shown.
  if (got === undefined) return undefined;
  const isOrder = operator === 'GT' || operator === 'LT';
  // The order of texts beyond plain small letters is the target's own, and so is whether blanks at the ends count.
  if (isOrder && kind === 'text' && !(isLetters(String(got)) && isLetters(value))) return undefined;
  if (kind === 'text' && (value !== value.trim() || (typeof got === 'string' && got !== got.trim()))) return undefined;
  const told = CASE_RULES.map((rule) => holds(operator, got, value, rule));
  return told.every((each) => each === told[0]) ? told[0] : undefined;
}

const isLetters = (text: string) => /^[a-z]+$/.test(text);

function expectedOf(world: World, held: Held, filters: readonly Filter[], join: ListStep['join']): boolean | undefined {
  const told = filters.map((filter) => verdict(world, held, filter));
  if (join === 'or') return told.includes(true) ? true : told.includes(undefined) ? undefined : filters.length === 0;
  return told.includes(false) ? false : told.includes(undefined) ? undefined : true;
}

/** Two neighbors of a sorted list that are the wrong way round in any collation. */
function misplaced(world: World, field: string, descending: boolean, ids: readonly string[]): string | undefined {
  const { context, held } = world;
  const kind = kindOf(context.family, field);
  const member = memberOf(context.family.name, field);
  const values = ids.flatMap((id) => {
    const value = valueIn(held.find((each) => each.id === id)?.fields ?? {}, member, kind);
    return value === undefined || (kind === 'text' && !isLetters(String(value))) ? [] : [value];
  });
  for (let index = 1; index < values.length; index += 1) {
    const [a, b] = descending ? [values[index], values[index - 1]] : [values[index - 1], values[index]];
    if (a !== undefined && b !== undefined && a > b)
      return `${shown(values[index - 1])} before ${shown(values[index])}`;
  }
  return undefined;
}

/** Asks for a list and holds it against the model: members, order, size of pages, each record once. */
export async function listStep(world: World, step: ListStep): Promise<void> {
  const { context, held, gone } = world;
  const { family } = context;
  const filters = step.criteria.flatMap((each) => filterOf(world, each) ?? []);
  const prefixField = family.filters.find((each) => memberOf(family.name, each) === nameOf(world));
  // Joined by AND, the list can be narrowed to the records of this run.
  const narrowed =
    prefixField !== undefined && step.join !== 'or'
      ? [...filters, { field: prefixField, operator: 'STARTSW' as const, value: context.run.prefix }]
      : filters;
  const sortField =
    step.sort === undefined ? undefined : family.sorts[step.sort.field % Math.max(1, family.sorts.length)];
  const input: RequestInput = {
    list: {
      filters: narrowed,
      size: step.size,
      ...(step.join === undefined ? {} : { join: step.join }),
      ...(sortField === undefined ? {} : step.sort?.descending ? { sortDsc: sortField } : { sortAsc: sortField }),
    },
    ...(step.carried.extra ? { extra: [['harness', 'explore'] as const] } : {}),
  };
  const words =
    `list ${filters.map(({ field, operator, value }) => `${field}.${operator}.${value}`).join(` ${step.join ?? 'and'} `)}`.slice(
      0,
      120,
    );
  const kinds = `${filters.length > 1 ? `${filters.length} filters by ${step.join ?? 'and'}` : (filters.map(({ field, operator }) => `${field}.${operator}`)[0] ?? 'whole')}${sortField === undefined ? '' : `, sorted by ${sortField}`}`;
  const requirement =
    filters.length > 1 ? 'LST-FTYPE' : filters[0] === undefined ? 'LST-NEXT' : `FOP-${filters[0].operator}`;
  const look = async (): Promise<Omit<Difference, 'family'> | undefined> => {
    const walk = await walkList(
      { list: (each) => context.send('list', each), follow: (href) => context.follow(href) },
      input,
    );
    if (walk.refused !== undefined) {
      const { status } = walk.refused;
      if (
        isForbidden(walk.refused) ||
        isOverloaded(walk.refused) ||
        filters.some(({ operator }) => operator === 'GT' || operator === 'LT')
      )
        return undefined;
      if (!filters.every(({ value }) => isPlain(value))) return undefined;
      if (status < 500) refusedNow(world, 'list', walk.refused);
      return undefined;
    }
    world.lessons.accepted.add('list');
    if (walk.cut === 'length') return undefined;
    for (const page of walk.pages.slice(0, -1)) {
      if (page.items.length > step.size)
        return {
          requirement: 'LST-SIZE',
          what: 'size of a page',
          expected: `at most ${step.size} records`,
          observed: `${page.items.length}`,
        };
    }
    for (const each of held) {
      const wanted = expectedOf(world, each, narrowed, step.join);
      const items = walk.items.filter(({ id }) => id === each.id);
      if (wanted === undefined || items.length === (wanted ? 1 : 0)) {
        const [item] = items;
        const spoiled = item === undefined ? undefined : entryDifference(world, each, item.record, 'list');
        if (spoiled !== undefined) return spoiled;
        continue;
      }
      return {
        // Right on the first page and wrong on a later one: the link to it lost something.
        requirement:
          items.length > (wanted ? 1 : 0) && !walk.pages[0]?.items.some(({ id }) => id === each.id)
            ? 'LST-NEXT'
            : requirement,
        what: kinds,
        expected: `${words} ${wanted ? 'to hold' : 'not to hold'} ${each.id} with ${shown(each.fields)}`,
        observed: `${items.length} times among ${walk.ids.length}`,
      };
    }
    const ghost = gone.find(({ id }) => walk.ids.includes(id));
    if (ghost !== undefined)
      return {
        requirement: 'SVC-1',
        what: `${kinds} after a delete`,
        expected: 'no removed record',
        observed: ghost.id,
      };
    const wrong =
      sortField === undefined ? undefined : misplaced(world, sortField, step.sort?.descending === true, walk.ids);
    return wrong === undefined
      ? undefined
      : { requirement: 'LST-SORT', what: kinds, expected: `${sortField} in order`, observed: wrong };
  };
  const found = await settled(world, look);
  if (found !== undefined) raise(world, found);
}
