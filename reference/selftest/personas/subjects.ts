import { defined } from '../../../lib/defined.ts';
import { seededRandom } from '../../../lib/random.ts';
import type { Mode } from '../../../lib/records/vocabulary.ts';
import { FACTS, PERSONAS } from '../../personas/personas.ts';
import { type Subject, shuffled } from '../subject.ts';

export interface PersonaSubjectsOptions {
  readonly seed: number;
  readonly modes: readonly Mode[];
  /** Pairs of rules that are run in mode full. */
  readonly pairs: number;
  /** Only these personas and rules, and no pairs; all where absent. */
  readonly names?: readonly string[];
  /** Families that each run is narrowed to; all where absent. */
  readonly families?: readonly string[];
}

export function rulePairs(): readonly (readonly [string, string])[] {
  return FACTS.flatMap(({ id: first, excludes = [] }, index) =>
    FACTS.slice(index + 1)
      .filter(({ id }) => !excludes.includes(id))
      .map(({ id: second }): [string, string] => [first, second]),
  );
}

/** The clean deployment, each persona and rule alone in every mode, and pairs of rules drawn from the seed. */
export function personaSubjects({ seed, modes, pairs, names, families }: PersonaSubjectsOptions): readonly Subject[] {
  const alone = names ?? [...PERSONAS, ...FACTS].map(({ id }) => id);
  const drawn = names === undefined ? shuffled(rulePairs(), seededRandom(seed)).slice(0, pairs) : [];
  const sorted = (['full', 'own-data', 'read-only'] as const).filter(
    (mode) => modes.includes(mode) || (mode === 'full' && drawn.length > 0),
  );
  return sorted.flatMap((mode): Subject[] => {
    const given = { seed, mode, ...defined({ families }) };
    return [
      { kind: 'clean', ids: [], ...given },
      ...(modes.includes(mode) ? alone.map((id): Subject => ({ kind: 'persona', ids: id.split('+'), ...given })) : []),
      ...(mode === 'full' ? drawn.map((ids): Subject => ({ kind: 'persona', ids, ...given })) : []),
    ];
  });
}
