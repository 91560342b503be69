import type { FamilyTable } from '../lib/contract/types.ts';
import { CONFIDENCE, type Fact } from '../reference/personas/fact.ts';
import type { Persona } from '../reference/personas/personas.ts';
import { markdownTable } from './docs-tables.ts';

const reasons = (rows: Readonly<Record<string, string>>): string =>
  Object.entries(rows)
    .map(([id, why]) => `\`${id}\` (${why})`)
    .join(', ') || 'nothing';

function affected({ affects }: Fact, table: FamilyTable): string {
  const names = Object.values(table).filter(affects);
  return names.length === Object.keys(table).length ? 'all' : names.map(({ name }) => name).join(', ');
}

function factRow(fact: Fact, table: FamilyTable): readonly string[] {
  const { id, title, where, confidence, relation, breaks = [], source } = fact;
  const may = breaks.length === 0 ? '' : `: ${breaks.join(', ')}`;
  const how = relation === 'setting' ? 'a setting' : relation;
  return [`\`${id}\``, title, affected(fact, table), where, confidence.join(' '), how + may, source];
}

function unavoidableRows({ id, unavoidable = [] }: Fact): readonly (readonly string[])[] {
  return unavoidable.map(({ checks, mode, why }) => [
    `\`${id}\``,
    checks.map((check) => `\`${check}\``).join(', ') + (mode === undefined ? '' : `, ${mode}`),
    why,
  ]);
}

const personaRow = ({ id, title, lacks, has }: Persona): readonly string[] => [
  `\`${id}\``,
  `all usual ones: ${title}`,
  reasons(lacks),
  reasons(has),
];

function readingText(letters: string): string {
  return `- *Where*: a *usual* rule is to be expected on an ordinary 3.x deployment. *Some* deployments have the others: one that was
  recorded, another release, or one with a setting.
- *Confidence*: ${letters}.
- *Specification*: a rule that *contradicts* it may fail the requirements that are named, and such a failure is right. Where
  it is *silent*, or where an administrator chose *a setting*, any failure is a false accusation.`;
}

/** What the page of the product that is publicly known is filled in with, by the names of its markers. */
export function personasBlocks(
  facts: readonly Fact[],
  personas: readonly Persona[],
  table: FamilyTable,
): Readonly<Record<string, string>> {
  const letters = Object.entries(CONFIDENCE).map(([letter, text]) => `${letter} ${text}`);
  return {
    personas: markdownTable(['Persona', 'Rules', 'Lacks', 'Has besides'], personas.map(personaRow)),
    reading: readingText(letters.join('; ')),
    rules: markdownTable(
      ['Rule', 'The product', 'Families', 'Where', 'Confidence', 'Specification', 'Source'],
      facts.map((fact) => factRow(fact, table)),
    ),
    undecidable: markdownTable(['Rule', 'Checks', 'Why'], facts.flatMap(unavoidableRows)),
  };
}
