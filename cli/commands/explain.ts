import type { Command } from 'commander';
import { checks, RETIRED_CHECKS } from '../../conformance/catalog.ts';
import type { Check } from '../../conformance/kit/check.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { REQUIREMENT_SETS } from '../../lib/contract/requirement-sets.ts';
import { type Requirement, requirements } from '../../lib/contract/requirements.ts';
import type { Family } from '../../lib/contract/types.ts';
import { suggestion } from '../../lib/did-you-mean.ts';
import { UsageError } from '../../lib/errors.ts';
import { EXIT_MEANINGS } from '../../lib/exit-codes.ts';
import { fits } from '../../lib/glob.ts';
import { verdictWord } from '../../lib/text.ts';
import { DEFECTS } from '../../reference/defects/table.ts';
import { NULL_TARGETS } from '../../reference/null-targets/table.ts';
import { VARIATIONS } from '../../reference/variations/table.ts';
import { withHelp } from '../options/bind.ts';
import ERROR_CODES from '../output/error-codes.json' with { type: 'json' };
import { GLOSSARY } from '../output/glossary.ts';
import { createOutput } from '../output/output.ts';

export function requirementsOf(check: Check): ReadonlySet<string> {
  const families = Object.values(FAMILIES).filter((family) => check.appliesTo(family, FAMILIES));
  return new Set(
    families.flatMap((family) =>
      [check, ...(check.variants?.(family) ?? [])].flatMap(
        ({ requirement }) => requirement?.replaceAll('{family}', family.name) ?? [],
      ),
    ),
  );
}

/** True if a check may fail for a requirement that is none of its own. */
export const mayAccuse = ({ accuses = [] }: Pick<Check, 'accuses'>, id: string): boolean =>
  accuses.some((pattern) => fits(pattern, id));

/** Seeded defects whose table says that they violate the requirement; `*` stands for any family. */
function defectsOf(requirement: string): readonly string[] {
  const isViolated = (pattern: string) => fits(pattern, requirement);
  return DEFECTS.filter(({ violates }) => violates.some(isViolated)).map(({ id, title }) => `${id} (${title})`);
}

const listed = (words: string, items: readonly string[]) =>
  items.length === 0 ? [`${words}: none`] : [`${words}:`, ...items.map((item) => `  ${item}`)];

function familyLines({ name, title, versions, ops, filters, sorts }: Family): string[] {
  return [
    `${name} (family): ${title}, /ers/config/${name}, version ${versions.join(' or ')}`,
    `operations: ${ops.join(', ')}`,
    `filters: ${filters.join(', ') || 'none'}; sorts: ${sorts.join(', ') || 'none'}`,
  ];
}

function requirementLines({ id, section, text, level, untestable }: Requirement): string[] {
  const told = (some: readonly Check[]) => some.map((check) => `${check.id}: ${check.title}`);
  const about = checks.filter((check) => requirementsOf(check).has(id));
  const also = checks.filter((check) => !about.includes(check) && mayAccuse(check, id));
  return [
    `${id} (${level}), section "${section}"`,
    `  ${text}`,
    ...(untestable === undefined ? [] : [`not tested: ${untestable}`]),
    ...listed('checks', told(about)),
    ...(also.length === 0 ? [] : listed('checks that fail for it too, if that is what they find broken', told(also))),
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
    ...(check.dependsOn === undefined ? [] : [`depends on: ${check.dependsOn.join(', ')}`]),
    ...listed(
      'requirements',
      about.map(({ id, section, text }) => `${id}, section "${section}": ${text}`),
    ),
    ...(check.accuses === undefined
      ? []
      : [`it fails as well for what else it finds broken: ${check.accuses.join(', ')}; \`explain ID\` tells each`]),
    ...listed('seeded defects that violate them', defects),
  ];
}

type Kept = Readonly<Record<'messages' | 'hints', readonly string[]>> & { readonly exit: readonly number[] };

/** What an error says and what to do, by the code in brackets before its message; `…` stands for what differs. */
const errorLines = (code: string, { exit, messages, hints }: Kept): readonly string[] => [
  `${code}, code of an error; the command ends with exit ${exit.join(' or ')}`,
  ...messages.map((message) => `  ${message}`),
  ...(hints.length === 0 ? [] : listed('what to do', hints)),
];

function known(): readonly (readonly [id: string, lines: () => readonly string[]])[] {
  const exits = Object.entries(EXIT_MEANINGS).map(([code, words]) => [code, () => [`exit ${code}: ${words}`]] as const);
  const serve = (options: string) => `try it: ers-harness serve ${options}`;
  return [
    ...exits,
    ...Object.values<Family>(FAMILIES).map((family) => [family.name, () => familyLines(family)] as const),
    ...Object.entries(REQUIREMENT_SETS).map(([name, { length }]) => {
      const what = `set of requirements: ${length} requirements; --requirements ${name} judges by them`;
      return [name, () => [`${name}, ${what}`]] as const;
    }),
    ['exit', () => exits.flatMap(([, lines]) => lines())],
    ...requirements().map((one) => [one.id, () => requirementLines(one)] as const),
    ...checks.map((one) => [one.id, () => checkLines(one)] as const),
    ...Object.entries(RETIRED_CHECKS).map(([id, now]) => {
      const what = `${id}, check that is no longer run; baselines may name it`;
      return [id, () => [what, ...listed('what it saw is seen by', now)]] as const;
    }),
    ...DEFECTS.map(({ id, title, violates }) => {
      const how = serve(`--defect ${id}, or ers-harness selftest --defect ${id}`);
      const what = `${id}, seeded defect of the embedded deployment: ${title}`;
      return [id, () => [what, ...listed('violates', violates), how]] as const;
    }),
    ...VARIATIONS.map(({ id, title }) => {
      const means = 'the specification allows it, so no check may fail for it';
      const what = `${id}, allowed variation of the embedded deployment: ${title}`;
      return [id, () => [what, means, serve(`--variation ${id}`)]] as const;
    }),
    ...NULL_TARGETS.map(({ id, title }) => {
      const means = 'it answers without doing anything, so no check may pass on it';
      return [id, () => [`${id}, null target: ${title}`, means, serve(`--null-target ${id}`)]] as const;
    }),
    ...GLOSSARY.map(({ id, kind, text }) => [id, () => [`${id} (${kind}): ${text}`]] as const),
    ...Object.entries(ERROR_CODES).map(([code, error]) => [code, () => errorLines(code, error)] as const),
  ];
}

/** Lines that explain an id or a word; of a failure or a cause as it is printed, each of its parts. Undefined if nothing has that name. */
export function explainLines(given: string): readonly string[] | undefined {
  const id = given.trim().toLowerCase();
  const named = requirements().filter((one) => fits(id, one.id.toLowerCase()));
  if (named.length > 1) return named.map((one) => `${one.id} (${one.level}): ${one.text}`);
  const exit = /^exit(?:[ -]code)?s?(?:[ -](\d+))?$/.exec(id);
  const wanted = named[0]?.id ?? (exit === null ? id : (exit[1] ?? 'exit'));
  const lines = known().flatMap(([own, its]) => (own.toLowerCase() === wanted.toLowerCase() ? its() : []));
  if (lines.length > 0) return lines;
  // A word of the records, by the word that a reader is told for it.
  if (verdictWord(id) !== id) return explainLines(verdictWord(id));
  const singular = /^[a-z]{3,}s$/.test(id) ? explainLines(id.slice(0, -1)) : undefined;
  if (singular !== undefined) return singular;
  const [first = '', ...rest] = id.split(/[\s|:]+/);
  const begun = rest.length === 0 ? undefined : explainLines(first);
  return begun && [...begun, ...rest.flatMap((part) => explainLines(part) ?? [])];
}

function explain(words: readonly string[]): void {
  const id = words.join(' ');
  const lines = explainLines(id);
  if (lines === undefined) {
    const ids = known().map(([own]) => own);
    throw new UsageError('unknown-id', `unknown word or id: ${id}`, {
      hint:
        suggestion(id, ids) ??
        'ids are in docs/tables/requirements.md, docs/tables/selftest.md and docs/measurement.md',
    });
  }
  createOutput({}).data(lines.join('\n'));
}

export function explainCommand(program: Command): void {
  const command = program
    .command('explain')
    .argument(
      '<id...>',
      'requirement, check, family, exit code, code of an error, rule of a load, defect, variation, verdict or word of the glossary',
    );
  const ids = ['LST-NEXT', 'paging/size', 'rate-held', 'M54', 'witness', 'exit'];
  const examples = ids.map((id) => `explain ${id}`);
  withHelp(command, { does: 'explain an id or a word of the reports', examples }).action(explain);
}
