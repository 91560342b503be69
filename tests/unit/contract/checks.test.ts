import { describe, expect, it } from 'vitest';
import { checks } from '../../../conformance/catalog.ts';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { type Level, requirements } from '../../../lib/contract/requirements.ts';
import type { FamilyTable } from '../../../lib/contract/types.ts';

const TABLE: FamilyTable = FAMILIES;
const catalogue = new Map(requirements().map((requirement) => [requirement.id, requirement]));

/** How far a level lets a verdict go: fail, warn, nothing. */
const STRENGTH: Readonly<Record<Level, number>> = { stated: 2, implied: 1, gap: 0, advice: 0 };

/** Each requirement that a check judges, with the level it judges by. */
const judged = (): { check: string; requirement: string; level: Level }[] =>
  checks.flatMap((check) =>
    Object.values(TABLE)
      .filter((family) => check.appliesTo(family, TABLE))
      .flatMap((family) =>
        [{}, ...(check.variants?.(family) ?? [])].map((variant: { requirement?: string; level?: Level }) => ({
          check: check.id,
          requirement: (variant.requirement ?? check.requirement).replaceAll('{family}', family.name),
          level: variant.level ?? check.level,
        })),
      ),
  );

describe('the checks against the requirements catalogue', () => {
  it('names only requirements that exist', () => {
    const unknown = judged().filter(({ requirement }) => !catalogue.has(requirement));
    expect([...new Set(unknown.map(({ check, requirement }) => `${check}: ${requirement}`))]).toEqual([]);
  });

  it('judges by the level of the requirement, and some of it more mildly', () => {
    const allowed = (requirement: string) => STRENGTH[catalogue.get(requirement)?.level ?? 'gap'];
    const those = (which: (difference: number) => boolean) =>
      judged().filter(({ requirement, level }) => which(STRENGTH[level] - allowed(requirement)));
    expect(those((difference) => difference > 0)).toEqual([]);
    expect(new Set(those((difference) => difference < 0).map(({ check }) => check))).toEqual(
      new Set([
        ...['record/create-fields', 'record/update-fields', 'node/by-escaped-name', 'bulk/items'],
        ...['paging/next-has-records', 'filter/operator', 'filter/bad-query'],
      ]),
    );
  });
});
