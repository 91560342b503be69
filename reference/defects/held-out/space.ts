import { FAMILIES } from '../../../lib/contract/families.ts';
import type { FamilyTable } from '../../../lib/contract/types.ts';
import { type Generated, watched } from '../generated/generated.ts';
import type { Line } from '../generated/line.ts';
import { ASKED_VALUES } from './asked-values.ts';
import type { Mistake } from './effects.ts';
import { HISTORY } from './history.ts';
import { LINKS } from './links.ts';
import { QUERIES, WRITING } from './queries.ts';
import { RELATIONS } from './relations.ts';
import { ENDPOINTS, WHO } from './who.ts';
import { WRITTEN_VALUES } from './written-values.ts';

/** Every kind of mistake of the dimensions that no check was written with. */
export const MISTAKES: readonly Mistake[] = [
  ...HISTORY,
  ...WRITTEN_VALUES,
  ...ASKED_VALUES,
  ...RELATIONS,
  ...QUERIES,
  ...WRITING,
  ...WHO,
  ...ENDPOINTS,
  ...LINKS,
];

/** Every defect of these dimensions: each mistake at each of its places. */
export function heldOutLines(table: FamilyTable = FAMILIES): readonly Line[] {
  return MISTAKES.flatMap(({ id, places }) =>
    places(table).map((place) => ({ operator: id, place, trigger: 'always' })),
  );
}

/** Dimension of a line: the word before the dash. */
export const dimensionOf = ({ operator }: Line): string => operator.split('-')[0] ?? operator;

function titleOf({ title }: Mistake, { place: { family, ...parts } }: Line): string {
  const given = Object.entries(parts).map(([part, value]) => `${part} ${value}`);
  return `${family}: ${title} (${given.join(', ')})`;
}

/** The code of a line. Throws for a mistake that there is none of. */
export function makeHeldOut(line: Line): Generated {
  const mistake = MISTAKES.find(({ id }) => id === line.operator);
  if (mistake === undefined) throw new Error(`no mistake ${line.operator}`);
  const about = { title: titleOf(mistake, line), violates: mistake.violates(line.place) };
  return watched(line, about, (kit, watch) => mistake.install(line.place, kit, watch));
}
