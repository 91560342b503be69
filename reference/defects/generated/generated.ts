import { FAMILIES } from '../../../lib/contract/families.ts';
import type { FamilyTable } from '../../../lib/contract/types.ts';
import { groupBy } from '../../../lib/group-by.ts';
import { seededRandom } from '../../../lib/random.ts';
import type { Defect } from '../../deviation.ts';
import type { Kit, Wraps } from '../../seams.ts';
import { type Line, lineId, type Operator } from './line.ts';
import { FILTERS } from './operators/filters.ts';
import { IDS, NEIGHBORS, UNKNOWN } from './operators/neighbors.ts';
import { PAGED } from './operators/pages.ts';
import { REFUSED_BUT_DONE, REQUESTS, REUSED } from './operators/requests.ts';
import { JOINED, SORTED } from './operators/sorts.ts';
import { ANC, BULK, MONITOR } from './operators/special.ts';
import { PARALLEL, STALE } from './operators/stale.ts';
import { SEEN, WRITTEN } from './operators/values.ts';
import { TRIGGERS, triggersFor } from './triggers.ts';
import { aroundWatch, type Exposure, type Watch, watchOver } from './watch.ts';

export const GENERATED_OPERATORS: readonly Operator[] = [
  ...WRITTEN,
  ...SEEN,
  ...FILTERS,
  ...JOINED,
  ...SORTED,
  ...PAGED,
  ...REQUESTS,
  ...NEIGHBORS,
  STALE,
  ...IDS,
  UNKNOWN,
  REFUSED_BUT_DONE,
  REUSED,
  ...BULK,
  MONITOR,
  ...ANC,
  ...PARALLEL,
];

/** Every generated defect: each operator at each of its places under each trigger that makes sense there. */
export function generatedLines(table: FamilyTable = FAMILIES): readonly Line[] {
  return GENERATED_OPERATORS.flatMap((operator) =>
    operator
      .places(table)
      .flatMap((place) =>
        triggersFor(operator, place, table).map((trigger) => ({ operator: operator.id, place, trigger })),
      ),
  );
}

/** What is said of the part of a request beside which alone a mistake is made: that part changes nothing, and a link keeps the query. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  'with-media-type': ['CNV-HDR'],
  'with-csrf': ['CNV-HDR'],
  'with-extra': ['CNV-EXTRA'],
  'with-later-page': ['LST-NEXT'],
};

/** The code of a line. Throws for an operator or trigger that there is none of. */
export function generate(line: Line): Generated {
  const operator = GENERATED_OPERATORS.find(({ id }) => id === line.operator);
  const trigger = TRIGGERS.find(({ id }) => id === line.trigger);
  if (operator === undefined || trigger === undefined)
    throw new Error(`no operator ${line.operator} or trigger ${line.trigger}`);
  const about = {
    title: `${operator.title(line.place)}, ${trigger.title}`,
    violates: [...operator.violates(line.place), ...(BESIDE[line.trigger] ?? [])],
  };
  return watched(line, about, (kit, watch) => {
    const fires = trigger.start(line.place.family, watch);
    return operator.install(line.place, kit, watch, (occasion) => watch.meets(fires(occasion)));
  });
}

/** The defect of a line, with a watch over each deployment that has it. */
export function watched(
  line: Line,
  about: Pick<Defect, 'title' | 'violates'>,
  mistaken: (kit: Kit, watch: Watch) => Wraps | readonly Wraps[],
) {
  let exposure: Exposure = { reached: 0, triggered: 0, changed: 0 };
  const install = (kit: Kit) => {
    const { watch, wraps } = watchOver(kit);
    exposure = watch.exposure;
    return aroundWatch(wraps, [mistaken(kit, watch)].flat());
  };
  return { defect: { id: lineId(line), ...about, install }, exposure: () => exposure };
}
/** A defect with a count of how far it got, for one deployment. */
export type Generated = ReturnType<typeof watched>;

/** Families that a run needs to meet the defect: all that the place names, those they are views of, and views of them. */
export function familiesOf({ place }: Line, table: FamilyTable = FAMILIES): readonly string[] {
  const named = Object.values(place).filter((value) => Object.hasOwn(table, value));
  const around = named.flatMap((family) => [
    String(family),
    ...(table[family]?.viewOf ?? []),
    ...Object.keys(table).filter((name) => table[name]?.viewOf?.includes(String(family))),
  ]);
  return [...new Set(around)];
}

const TRIGGER_KIND = new Map(TRIGGERS.map(({ id, kind }) => [id, kind]));

export function triggerKind({ trigger }: Line): string {
  return TRIGGER_KIND.get(trigger) ?? trigger;
}

/**
 * A sample drawn from the seed: first the operator, then the kind of trigger, then a line of both, each evenly. A plain
 * draw would be mostly filters, because there are most places for them. `groups` names other two things to draw by.
 */
export function sampleLines(
  lines: readonly Line[],
  count: number,
  seed: number,
  [outer, inner]: readonly [(line: Line) => string, (line: Line) => string] = [({ operator }) => operator, triggerKind],
): readonly Line[] {
  const random = seededRandom(seed);
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  const chosen = new Map<string, Line>();
  const cells = [...groupBy(lines, outer).values()].map((own) => [...groupBy(own, inner).values()]);
  for (let tries = 0; chosen.size < Math.min(count, lines.length) && tries < count * 50; tries += 1) {
    const line = pick(pick(pick(cells) ?? []) ?? []);
    if (line !== undefined) chosen.set(lineId(line), line);
  }
  return [...chosen.values()];
}
