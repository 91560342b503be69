import type { FamilyTable } from '../lib/contract/types.ts';
import { type killedRate, rateText } from '../lib/stats/wilson.ts';
import { MISTAKES } from '../reference/defects/held-out/space.ts';
import { CONFIDENCE, type Fact } from '../reference/personas/fact.ts';
import type { Persona } from '../reference/personas/personas.ts';
import { isKilled, isViolated } from '../reference/selftest/defect-score.ts';
import { PUBLISHED_GENERATED } from '../reference/selftest/published.ts';
import { type SelftestScore, scoreLines } from '../reference/selftest/score.ts';
import { SPACES } from '../reference/selftest/subject.ts';
import { markdownTable } from './docs-tables.ts';

/** Defects that violate a requirement and were found, in every seed, for one they violate. */
export function defectsKilled(score: SelftestScore, requirement: string): readonly string[] {
  return score.defects
    .filter((defect) => isKilled(defect) && defect.right && isViolated(defect.violates, requirement))
    .map(({ id }) => id);
}

const shown = (rate: ReturnType<typeof killedRate> | undefined): string =>
  rate === undefined ? 'not counted' : rateText(rate);

/** The published scores of a space: all of each sample, and by kind of trigger or by dimension. */
function generatedFigures(space: keyof typeof SPACES): string {
  const rows = PUBLISHED_GENERATED.filter((score) => (score.space ?? 'generated') === space).flatMap(
    ({ label, seed, sample, total, bound, byTrigger, boundByTrigger }) => [
      [label, `all ${sample}, seed ${seed}`, rateText(total), shown(bound)],
      ...Object.entries(byTrigger).map(([kind, rate]) => ['', kind, rateText(rate), shown(boundByTrigger?.[kind])]),
    ],
  );
  const { kind } = SPACES[space];
  const title = kind.charAt(0).toUpperCase() + kind.slice(1);
  return markdownTable(['When', title, 'Found at all', 'Found for a requirement that they violate'], rows);
}

function heldOutMistakes(): string {
  const rows = MISTAKES.map(({ id, title, sentence }) => [`\`${id}\``, title, sentence]);
  return markdownTable(['Mistake', 'What it does', 'Sentence that it breaks'], rows);
}

/** What the page of the score is filled in with, by the names of its markers. */
export function selftestBlocks(score: SelftestScore): Readonly<Record<string, string>> {
  const nulls = score.nullTargets.map(({ id, title, exit, expected }) => [
    id,
    title,
    String(exit),
    expected.join(' or '),
  ]);
  const defects = score.defects.map((defect) => [
    defect.id,
    defect.title,
    defect.violates.join(', '),
    `${defect.killedIn} of ${defect.seeds}`,
    defect.foundBy.map((id) => `\`${id}\``).join(', ') || 'none',
  ]);
  return {
    score: `\`\`\`text\n${scoreLines(score).join('\n')}\n\`\`\``,
    generated: generatedFigures('generated'),
    'held-out': `${generatedFigures('held-out')}\n\n${heldOutMistakes()}`,
    'null-targets': markdownTable(['Target', 'What it does', 'Exit', 'Expected'], nulls),
    defects: markdownTable(['Defect', 'What it does', 'Violates', 'Killed in', 'Found by'], defects),
  };
}

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
