import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requirements } from '../../../lib/contract/requirements.ts';
import { packageRoot } from '../../../lib/package-root.ts';
import { CLAIMS, NARRATIVE } from './sentences.ts';
import { type Statement, statementsOf } from './statements.ts';

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
