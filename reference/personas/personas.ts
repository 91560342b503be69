import { UsageError } from '../../lib/errors.ts';
import type { Deviation } from '../deviation.ts';
import type { Rule } from './fact.ts';
import { type Fact, type FactRow, USUAL } from './fact.ts';
import { FACTS_OF_ANSWERS, FACTS_OF_BODIES } from './facts/bodies.ts';
import { FACTS_OF_OPERATIONS } from './facts/operations.ts';
import { BODY_RULES } from './rules/bodies.ts';
import { LIST_RULES, SHOWN_RULES } from './rules/lists.ts';
import { OPERATION_RULES } from './rules/operations.ts';
import { PORTAL_RULES } from './rules/portals.ts';

const ROWS = { ...FACTS_OF_BODIES, ...FACTS_OF_ANSWERS, ...FACTS_OF_OPERATIONS };

const IMPLEMENTATIONS: Readonly<Record<keyof typeof ROWS, Deviation>> = {
  ...{ ...SHOWN_RULES, ...BODY_RULES, ...PORTAL_RULES, ...LIST_RULES, ...OPERATION_RULES },
};

/** How the real product is known to answer, in the order in which the rules are put around the deployment. */
export const FACTS: readonly Fact[] = Object.entries<FactRow>(ROWS).map(([id, fact]) => ({ id, ...USUAL, ...fact }));

/** Every fact with what makes a deployment answer so, in the order in which they are put around it. */
const RULES: readonly Rule[] = FACTS.map((fact) => ({ ...fact, ...IMPLEMENTATIONS[fact.id as keyof typeof ROWS] }));

/** A release: all usual rules, but for those that it is not known to have, and some that only it has. */
export interface Persona {
  readonly id: string;
  readonly title: string;
  /** Rule → why the release does not have it. */
  readonly lacks: Readonly<Record<string, string>>;
  /** Rule that is not usual → why the release has it. */
  readonly has: Readonly<Record<string, string>>;
}

const ON_35 = 'recorded on 3.5 patch 3 only';

export const PERSONAS: readonly Persona[] = [
  {
    id: '3.1',
    title: 'release 3.1',
    lacks: { deletetype: ON_35, descriptions: ON_35 },
    has: { past404: 'the Python SDK of that time takes a 404 for the end of a list; 400 was recorded from 3.3 on' },
  },
  { id: '3.3', title: 'release 3.3', lacks: { deletetype: ON_35, descriptions: ON_35 }, has: {} },
  { id: '3.5', title: 'release 3.5, patch 3', lacks: {}, has: {} },
];

export function rulesOf({ lacks, has }: Persona): readonly string[] {
  return FACTS.filter(
    ({ id, where }) => (where === 'usual' && !Object.hasOwn(lacks, id)) || Object.hasOwn(has, id),
  ).map(({ id }) => id);
}

function without(ids: ReadonlySet<string>, gone: readonly string[]): Set<string> {
  return new Set([...ids].filter((id) => !gone.includes(id)));
}

/** Ids that a word of the command line stands for. */
function meant(word: string): readonly string[] {
  const persona = PERSONAS.find(({ id }) => id === word);
  if (persona !== undefined) return rulesOf(persona);
  const rule = FACTS.find(({ id }) => id === word.toLowerCase());
  if (rule !== undefined) return [rule.id];
  throw new UsageError('unknown-persona', `there is no persona or rule ${word}`, {
    hint: `one of ${[...PERSONAS, ...FACTS].map(({ id }) => id).join(', ')}; a dash before it leaves it out`,
  });
}

/**
 * Rules by personas and single names, in the order of the table. What is named later replaces what it excludes; a dash before a
 * name takes it away. Throws `UsageError` that names the known ones.
 */
export function chosenRules(words: readonly string[]): readonly Rule[] {
  let ids = new Set<string>();
  for (const word of words) {
    const isGone = word.startsWith('-');
    const named = meant(isGone ? word.slice(1) : word);
    const excluded = FACTS.filter(({ id }) => named.includes(id)).flatMap((fact) => fact.excludes ?? []);
    ids = isGone ? without(ids, named) : new Set([...without(ids, excluded), ...named]);
  }
  return RULES.filter(({ id }) => ids.has(id));
}
