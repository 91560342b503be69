import { defined } from '../../../../lib/defined.ts';
import { counted } from '../../../../lib/numbers.ts';
import type { ListQuery } from '../../../../lib/wire/query.ts';
import { queryText } from '../../list/shared/shrink.ts';
import { explaining, isJudged } from '../../list/sort/collation.ts';
import type { Findings } from '../world/findings.ts';
import { havingField, type World } from '../world/world.ts';
import { type Criteria, chooseCriteria, keptTogether } from './criteria.ts';
import { type Asked, askList, noteOthers, orSpelling, roomFor } from './list-ask.ts';
import type { Round } from './rounds.ts';

/** Pages that the records of a survey are read on. */
const PAGES = 2;

/** The query of a round: plain, laden, or on pages within the records of the survey. */
function shaped(world: World, query: ListQuery, round: Round, isOwn = true): ListQuery {
  const scope = world.selects === undefined || !isOwn ? {} : { filters: [world.selects] };
  const count = Math.max(1, Math.ceil(Math.max(world.records.length, 4) / PAGES));
  if (round.laden) return { ...scope, ...query, size: count };
  if (round.pages) return { ...scope, ...query, size: count + 1 };
  return 'sortAsc' in query || 'sortDsc' in query ? { ...query, size: 50 } : query;
}

/** Records that this run removed in earlier rounds, in an answer. */
const strayIn = (world: World, { items }: Pick<Asked, 'items'>) =>
  items.filter(
    ({ id, record }) =>
      String(record['name'] ?? '').startsWith(`${world.start}delete`) &&
      !world.stayed.includes(id) &&
      !world.records.some((each) => each.id === id),
  );

/** Sorts by every field in both directions: the records of the survey stand in an order that one collation explains. */
export async function lookAtSorts(world: World, round: Round, out: Findings): Promise<void> {
  const looks = world.family.sorts.flatMap((field) => [
    { field, query: { sortAsc: field }, isDown: false },
    { field, query: { sortDsc: field }, isDown: true },
  ]);
  const look = async ({ field, query, isDown }: (typeof looks)[number]) => {
    const having = havingField(world, field);
    const isOwn = world.records.some(({ values }) => values[field] !== undefined);
    const sorted = shaped(world, query, round, isOwn);
    const asked = await askList(world, sorted, round);
    const values = new Map(having.map((record) => [record.id, record.values[field]]));
    const keys = asked.ids.flatMap((id) => values.get(id) ?? []).filter(isJudged);
    const lost = asked.fault === undefined ? having.find(({ id }) => !asked.ids.includes(id)) : undefined;
    const [stray] = strayIn(world, asked);
    const isSorted = keys.length < 2 || explaining(keys, isDown) !== undefined;
    if (asked.fault === undefined && lost === undefined && stray === undefined && isSorted) return out.held('sorts');
    // What came or went meanwhile hides records between two pages; it changes the order of none.
    const isExcused = asked.fault !== undefined || isSorted;
    if (isExcused && (await asked.isMoved())) return;
    const present = stray === undefined ? `the order ${keys.join(', ')}` : `${stray.id}, which was removed`;
    const observed = asked.fault ?? (lost === undefined ? present : `no ${lost.id}`);
    out.add('sorts', {
      expected: `the ${having.length} records in the order of ${field}: ${queryText(sorted)}`,
      observed: observed.slice(0, 900),
      about: asked.about ?? {
        kind: lost === undefined && stray === undefined ? 'value' : 'records',
        operation: 'list',
        subject: `sort ${field}.${isDown ? 'dsc' : 'asc'}`,
      },
      requirement: asked.requirement ?? 'LST-SORT',
      exchanges: asked.exchanges,
    });
  };
  for (let from = 0; from < looks.length && out.isOpen('sorts'); from += 2)
    await Promise.all(looks.slice(from, from + 2).map(look));
}

/** Several filters at once: AND keeps what fits all of them, OR what fits any. */
export async function lookAtJoins(world: World, round: Round, out: Findings): Promise<void> {
  for (const join of ['and', 'or'] as const) {
    if (join === 'or' && orSpelling(world) === undefined) continue;
    const criteria = chooseCriteria(world, join);
    if (criteria === undefined || !out.isOpen('joins')) continue;
    await lookAtJoin(world, criteria, round, out);
  }
}

async function lookAtJoin(world: World, criteria: Criteria, round: Round, out: Findings): Promise<void> {
  const { filters, join, having } = criteria;
  const wanted = keptTogether(criteria);
  const size = Math.max(1, Math.ceil(wanted.size / 2));
  // How many records of others fit is not known.
  const isOwn = having.some((record) => world.records.includes(record));
  const sort = world.family.sorts[0];
  const query: ListQuery = {
    filters,
    ...(join === 'or' ? { join } : {}),
    // A list that is read on pages may be torn by what other checks write meanwhile.
    ...((round.pages || round.laden) && isOwn ? { size } : roomFor(isOwn ? wanted.size : Number.POSITIVE_INFINITY)),
    ...(round.laden ? defined({ sortDsc: sort }) : {}),
  };
  const asked = await askList(world, query, round);
  const known = new Set(having.map(({ id }) => id));
  const seen = asked.ids.filter((id) => known.has(id));
  if (asked.fault === undefined && seen.length === wanted.size && seen.every((id) => wanted.has(id)))
    return out.held('joins');
  if (seen.every((id) => wanted.has(id)) && (await asked.isMoved())) return;
  out.add('joins', {
    expected: `the ${wanted.size} records that fit ${join === 'or' ? 'any' : 'all'} of ${queryText(query)}`.slice(
      0,
      900,
    ),
    observed: asked.fault ?? `${counted(seen.length, 'record')}, not the same`,
    about: asked.about ?? { kind: 'records', operation: 'list', subject: `filters ${join}` },
    requirement: asked.requirement ?? 'LST-FTYPE',
    exchanges: asked.exchanges,
  });
}

/** The list without a filter, and on pages: every record of the survey once, no removed one, and what its entry shows. */
export async function lookAtPages(world: World, round: Round, out: Findings): Promise<Asked | undefined> {
  const asked = await askList(world, shaped(world, {}, round), round);
  if (round.laden === undefined && round.pages === undefined && asked.fault === undefined) noteOthers(world, asked.ids);
  const missing = world.records.filter(({ id }) => !asked.ids.includes(id));
  const stray = strayIn(world, asked);
  const fault =
    asked.fault ??
    (missing.length + stray.length > 0 ? `${missing.length} missing, ${stray.length} removed ones` : undefined);
  if (fault === undefined) out.held('pages');
  else if (!(await asked.isMoved()))
    out.add('pages', {
      expected: `the ${world.records.length} records of the survey once each`,
      observed: fault,
      about: asked.about ?? { kind: 'records', operation: 'list', subject: 'list' },
      requirement: asked.requirement ?? `OP-${world.family.name}-L`,
      exchanges: asked.exchanges,
    });
  return fault === undefined ? asked : undefined;
}
