import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checks } from '../../../conformance/catalog.ts';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { registerFamilies } from '../../../lib/contract/register.ts';
import { isOutside, NEWEST_SET, REQUIREMENT_SETS } from '../../../lib/contract/requirement-sets.ts';
import { type Level, opRequirementId, requirements } from '../../../lib/contract/requirements.ts';
import type { Family, FamilyTable } from '../../../lib/contract/types.ts';
import { packageRoot } from '../../../lib/package-root.ts';
import { dropFamilies, importedFrom, SWAGGER } from '../../helpers/a-definition.ts';
import { CLAIMS, NARRATIVE } from './sentences.ts';
import { type Statement, statementsOf } from './statements.ts';

const MADE_UP: Family = { ...FAMILIES.sgt, name: 'gatekeeper', ops: ['list', 'create'] };

const idsOf = (table?: Parameters<typeof requirements>[0]): string[] => requirements(table).map(({ id }) => id);

describe('the requirements catalogue', () => {
  it('grows by its operations and its fields when a family is added, and by nothing else', () => {
    const before = new Set(idsOf());
    const added = idsOf({ ...FAMILIES, gatekeeper: MADE_UP }).filter((id) => !before.has(id));
    expect(added).toEqual(['OP-gatekeeper-L', 'OP-gatekeeper-C', 'FLD-gatekeeper']);
    expect(opRequirementId('gatekeeper', 'bulkMonitor')).toBe('OP-gatekeeper-BM');
  });

  it('gives a gap no stronger level than gap, and a reason to everything no check can decide', () => {
    for (const { id, level, untestable } of requirements()) {
      expect(level === 'gap', id).toBe(id.startsWith('G-'));
      if (untestable !== undefined) expect(untestable.length, id).toBeGreaterThan(20);
    }
  });
});

describe('sets of requirements', () => {
  it('hold in the newest one exactly what the registry holds: a new requirement needs a new set', () => {
    const newest = REQUIREMENT_SETS[NEWEST_SET] ?? [];
    const now = requirements().map(({ id }) => id);
    expect(now.toSorted()).toEqual([...newest].sort());
  });

  it('hold each requirement once, and stay as they were published', () => {
    const sizes = Object.entries(REQUIREMENT_SETS).map(([name, ids]) => [name, ids.length, new Set(ids).size]);
    expect(sizes).toEqual([['2026.11', 152, 152]]);
  });

  it('leave outside what came later, and nothing of imported families or of sets that are not known', () => {
    const sets: Record<string, readonly string[]> = REQUIREMENT_SETS;
    sets['old'] = ['FOP-EQ'];
    expect(isOutside('old', 'FOP-EQ')).toBe(false);
    expect(isOutside('old', 'FOP-NEQ')).toBe(true);
    expect(isOutside('old', 'OP-gadget-R')).toBe(false);
    registerFamilies(importedFrom(SWAGGER).read);
    expect(requirements().map(({ id }) => id)).toContain('OP-gadget-UN');
    expect(isOutside('old', 'OP-gadget-UN')).toBe(false);
    dropFamilies(['gadget']);
    expect(isOutside('older', 'FOP-NEQ')).toBe(false);
    expect(isOutside(undefined, 'FOP-NEQ')).toBe(false);
    delete sets['old'];
  });
});

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

const SPECIFICATION = join(packageRoot(), '../shared/spec/configuration-resource-api.txt');
const DIGEST = 'b30c68a922b797f146f5c1a9601fc5f9db42a57276ba4e34d9902e1e46ef8a41';

const ids = requirements().map(({ id }) => id);
const claims = Object.values(CLAIMS)
  .flat()
  .flatMap(([, claim]) => (claim === NARRATIVE ? [] : claim));
const claimed = (pattern: string): string[] =>
  pattern.endsWith('*') ? ids.filter((id) => id.startsWith(pattern.slice(0, -1))) : ids.filter((id) => id === pattern);

/** Requirements that no sentence says: they follow from the meaning of the operations. */
const UNWRITTEN = ['ATOM-1', 'FRESH-1', 'LIST-GET', 'NEG-404', 'NEG-BODY'];

function bySection(statements: readonly Statement[]): Record<string, string[]> {
  const sections: Record<string, string[]> = {};
  for (const { section, text } of statements) sections[section] = [...(sections[section] ?? []), text];
  return sections;
}

describe('sentence coverage of the specification', () => {
  it('claims only requirements that exist', () => {
    for (const pattern of claims) expect(claimed(pattern), pattern).not.toEqual([]);
  });

  it('finds every written requirement in at least one sentence', () => {
    const covered = new Set(claims.flatMap(claimed));
    expect(ids.filter((id) => !covered.has(id))).toEqual(UNWRITTEN);
  });

  it('names each requirement once, under a heading of the specification', () => {
    expect(new Set(ids).size).toBe(ids.length);
    const headings = new Set([...Object.keys(CLAIMS), 'Gaps in the endpoint contract']);
    for (const { id, section } of requirements()) expect(headings, `${id}: ${section}`).toContain(section);
  });

  it('splits lists, tables and paragraphs into statements', () => {
    const statements = statementsOf('# T\nOne. Two <a>/x.\n\n## S\n| H |\n|---|\n| r |\n- item.\n1. point.\n');
    expect(bySection(statements)).toEqual({ T: ['One.', 'Two <a>/x.'], S: ['| r |', 'item.', 'point.'] });
  });

  it('claims every sentence and table row of the specification in order', ({ skip }) => {
    if (!existsSync(SPECIFICATION)) skip('the specification is not beside this checkout');
    const sections = bySection(statementsOf(readFileSync(SPECIFICATION, 'utf8')));
    expect(Object.keys(CLAIMS)).toEqual(Object.keys(sections));
    for (const [section, statements] of Object.entries(sections)) {
      const locators = CLAIMS[section]?.map(([locator]) => locator) ?? [];
      expect(locators, section).toHaveLength(statements.length);
      for (const [index, text] of statements.entries()) expect(text, section).toContain(locators[index]);
    }
  });

  it('was read from the specification as it stands, word for word', ({ skip }) => {
    if (!existsSync(SPECIFICATION)) skip('the specification is not beside this checkout');
    expect(createHash('sha256').update(readFileSync(SPECIFICATION)).digest('hex')).toBe(DIGEST);
  });
});
