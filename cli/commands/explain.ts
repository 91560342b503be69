import type { Command } from 'commander';
import { checks } from '../../conformance/catalog.ts';
import type { Check } from '../../conformance/kit/check.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { type Requirement, requirements } from '../../lib/contract/requirements.ts';
import { UsageError } from '../../lib/errors.ts';
import { EXIT_MEANINGS } from '../../lib/exit-codes.ts';
import { DEFECTS } from '../../reference/defects/table.ts';
import { createOutput } from '../output/output.ts';

/** Ids of the requirements that a check and its variants are about. */
function requirementsOf(check: Check): ReadonlySet<string> {
  const families = Object.values(FAMILIES).filter((family) => check.appliesTo(family, FAMILIES));
  return new Set(
    families.flatMap((family) => [
      check.requirement.replaceAll('{family}', family.name),
      ...(check.variants?.(family) ?? []).flatMap(({ requirement }) => requirement ?? []),
    ]),
  );
}

/** Seeded defects whose table says that they violate the requirement; `*` stands for any family. */
function defectsOf(requirement: string): readonly string[] {
  const matches = (pattern: string) =>
    new RegExp(
      `^${pattern
        .split('*')
        .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
        .join('.*')}$`,
    ).test(requirement);
  return DEFECTS.filter(({ violates }) => violates.some(matches)).map(({ id, title }) => `${id} (${title})`);
}

const listed = (words: string, items: readonly string[]) =>
  items.length === 0 ? [`${words}: none`] : [`${words}:`, ...items.map((item) => `  ${item}`)];

function requirementLines({ id, section, text, level, untestable }: Requirement): string[] {
  const about = checks.filter((check) => requirementsOf(check).has(id)).map((check) => `${check.id}: ${check.title}`);
  return [
    `${id} (${level}), section "${section}"`,
    `  ${text}`,
    ...(untestable === undefined ? [] : [`not tested: ${untestable}`]),
    ...listed('checks', about),
    ...listed('seeded defects that violate it', defectsOf(id)),
  ];
}

const NEEDS = { read: 'GET alone', 'own-data': '--mode own-data', full: '--mode full' } as const;

function checkLines(check: Check): string[] {
  const families = Object.values(FAMILIES)
    .filter((family) => check.appliesTo(family, FAMILIES))
    .map(({ name }) => name);
  const all = requirements();
  const about = [...requirementsOf(check)].flatMap((id) => all.find((requirement) => requirement.id === id) ?? []);
  const defects = [...new Set(about.flatMap(({ id }) => defectsOf(id)))];
  return [
    `${check.id} (${check.level}): ${check.title}`,
    `needs: ${NEEDS[check.needs]}`,
    `families: ${families.join(', ')}`,
    ...(check.dependsOn === undefined ? [] : [`rests on: ${check.dependsOn.join(', ')}`]),
    ...listed(
      'requirements',
      about.map(({ id, section, text }) => `${id}, section "${section}": ${text}`),
    ),
    ...listed('seeded defects that violate them', defects),
  ];
}

/** Lines that explain an id: of a requirement, of a check, or an exit code. Undefined where nothing has that id. */
function explainLines(id: string): readonly string[] | undefined {
  const meaning = Object.entries(EXIT_MEANINGS).find(([code]) => code === id);
  if (meaning !== undefined) return [`exit ${meaning[0]}: ${meaning[1]}`];
  const requirement = requirements().find((one) => one.id === id);
  if (requirement !== undefined) return requirementLines(requirement);
  const check = checks.find((one) => one.id === id);
  return check === undefined ? undefined : checkLines(check);
}

function explain(id: string): void {
  const lines = explainLines(id);
  if (lines === undefined) {
    const words = id.toLowerCase();
    const near = [...requirements().map((one) => one.id), ...checks.map((one) => one.id)]
      .filter((one) => one.toLowerCase().includes(words))
      .slice(0, 10);
    throw new UsageError('unknown-id', `nothing is called ${id}`, {
      hint: near.length > 0 ? `one of ${near.join(', ')}` : 'ids are in docs/requirements.md',
    });
  }
  createOutput({}).data(lines.join('\n'));
}

/** `ers-harness explain ID`: what a requirement, a check or an exit code means. */
export function explainCommand(program: Command): void {
  program
    .command('explain')
    .argument('<id>', 'id of a requirement or of a check, or an exit code')
    .description('what a requirement, a check or an exit code means, and what it is about')
    .addHelpText(
      'after',
      '\nExamples:\n  ers-harness explain LST-NEXT\n  ers-harness explain paging/size\n  ers-harness explain 4',
    )
    .action(explain);
}
