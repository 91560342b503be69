import type * as z from 'zod';
import { COMMAND_SPECS } from '../cli/options/specs.ts';
import { OPS } from '../lib/contract/operations.ts';
import type { Requirement } from '../lib/contract/requirements.ts';
import type { FamilyTable } from '../lib/contract/types.ts';
import { type Option, optionsOf } from '../lib/option.ts';

/** Requirements that a check and its variants decide, by its id. */
type DecidedBy = ReadonlyMap<string, ReadonlySet<string>>;

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

export function markdownTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(titles), `|${titles.map(() => '---').join('|')}|`, ...rows.map(row)].join('\n');
}

export function familyTable(table: FamilyTable): string {
  return markdownTable(
    ['Family', 'Path segment', 'Versions', 'Operations', 'Filters', 'Sorts', 'Root keys'],
    Object.entries(table).map(([name, family]) => [
      family.title,
      `\`${name}\``,
      family.versions.join(', '),
      family.ops.map((op) => OPS[op].code).join(' '),
      family.filters.join(', '),
      family.sorts.join(', ') || 'none',
      Object.values(family.roots).join(', ') || 'none',
    ]),
  );
}

export function exitTable(meanings: Readonly<Record<string, string>>): string {
  return markdownTable(['Code', 'Meaning'], Object.entries(meanings));
}

/** A page with its blocks between `<!-- name:start -->` and `<!-- name:end -->`. Throws if a marker is missing. */
export function fillMarkers(page: string, blocks: Readonly<Record<string, string>>): string {
  return Object.entries(blocks).reduce((text, [name, content]) => {
    const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
    const [from, to] = [text.indexOf(start), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`the markers ${start} and ${end} are missing`);
    return `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`;
  }, page);
}

const idsFor = ({ id }: Requirement, checks: DecidedBy): readonly string[] =>
  [...checks].flatMap(([check, requirements]) => (requirements.has(id) ? [check] : []));

function checksFor(requirement: Requirement, checks: DecidedBy): string {
  const ids = idsFor(requirement, checks);
  if (ids.length > 0) return ids.map((id) => `\`${id}\``).join(', ');
  if (requirement.untestable !== undefined) return `not testable: ${requirement.untestable}`;
  return requirement.level === 'gap' ? 'recorded as observed, never judged' : 'none yet';
}

/** What the page that traces each requirement to the checks that decide it, and to the seeded defects that they kill, is filled in with. */
export function requirementsBlocks(
  all: readonly Requirement[],
  checks: DecidedBy,
  killed: (requirement: string) => readonly string[],
): Readonly<Record<string, string>> {
  const levels = ['stated', 'implied', 'gap', 'advice'].map(
    (level) => `${all.filter((requirement) => requirement.level === level).length} ${level}`,
  );
  return {
    levels: `${all.length} requirements: ${levels.join(', ')}.`,
    requirements: markdownTable(
      ['Requirement', 'Level', 'Section', 'Text', 'Checks', 'Defects killed'],
      all.map((requirement) => [
        requirement.id,
        requirement.level,
        requirement.section,
        requirement.text,
        checksFor(requirement, checks),
        killed(requirement.id).join(' '),
      ]),
    ),
  };
}

/** Commands that must share an option before it is explained apart from all of them. */
const COMMON_FROM = 3;

function defaultWords({ given, default: value, onOff, shown }: Option): string {
  if (given.otherwise !== undefined) return given.otherwise;
  if (onOff) return value === true ? 'on' : 'off';
  return value === undefined ? 'none' : shown(value);
}

const listed = (schema: z.ZodObject): readonly Option[] =>
  optionsOf(schema).filter(({ given }) => given.help !== 'none');

function optionTable(options: readonly Option[]): string {
  return markdownTable(
    ['Option', 'Default', 'Environment', 'What it does'],
    options.map((option) => [
      `\`${option.given.flag}\``,
      defaultWords(option),
      option.given.env === undefined ? '' : `\`${option.given.env}\``,
      option.given.text,
    ]),
  );
}

/** Tables of options, by their markers: those of each command, without those that are explained once for all. An option is one record. */
export function optionsBlocks(): Readonly<Record<string, string>> {
  const commands = Object.entries(COMMAND_SPECS).map(([name, schema]) => ({ name, options: listed(schema) }));
  const all = commands.flatMap(({ options }) => options);
  const times = (one: Option) => all.filter(({ schema }) => schema === one.schema).length;
  const common = all.filter((one, at) => all.findIndex(({ schema }) => schema === one.schema) === at);
  const own = commands.map(
    ({ name, options }) => `## ${name}\n\n${optionTable(options.filter((one) => times(one) < COMMON_FROM))}`,
  );
  return { common: optionTable(common.filter((one) => times(one) >= COMMON_FROM)), commands: own.join('\n\n') };
}
