import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { requirements } from '../../../lib/contract/requirements.ts';
import { chosenRules, FACTS, PERSONAS, rulesOf } from '../../../reference/personas/personas.ts';
import { isViolated } from '../../../reference/selftest/defect-score.ts';

const families = Object.values(FAMILIES);
const ids = (...words: readonly string[]) => chosenRules(words).map(({ id }) => id);

describe('the table of facts', () => {
  it('names each rule once, and a persona nothing else', () => {
    const all = [...FACTS, ...PERSONAS].map(({ id }) => id);
    expect(new Set(all).size).toBe(all.length);
  });

  it.each(FACTS.map((fact) => [fact.id, fact] as const))('%s has what it takes', (id, fact) => {
    const { relation, breaks = [], affects } = fact;
    expect(ids(id)).toEqual([id]);
    expect(families.some((family) => affects(family))).toBe(true);
    // It says which requirements it breaks if it contradicts the specification, and else none.
    expect(breaks.length > 0).toBe(relation === 'contradicts');
    const known = requirements().map((each) => each.id);
    const patterns = breaks.map((text) => text.split(': ')[0] ?? '');
    expect(patterns.filter((pattern) => !known.some((each) => isViolated([pattern], each)))).toEqual([]);
  });

  it('excludes both ways', () => {
    for (const { id, excludes = [] } of FACTS) {
      for (const other of excludes) expect(FACTS.find((fact) => fact.id === other)?.excludes).toContain(id);
    }
  });
});

describe('personas', () => {
  const usual = FACTS.filter(({ where }) => where === 'usual').map(({ id }) => id);

  it('have the usual rules, but for those that they lack with a reason', () => {
    const [old, middle, newest] = PERSONAS.map(rulesOf);
    expect(newest).toEqual(usual);
    expect(middle).toEqual(usual.filter((id) => id !== 'deletetype' && id !== 'descriptions'));
    expect(old).toContain('past404');
  });

  it('can be combined with rules, in the order of the table, and lose one that is named with a dash or excluded', () => {
    expect(ids('rate', 'seed')).toEqual(['seed', 'rate']);
    expect(ids('3.3', 'deletetype')).toContain('deletetype');
    expect(ids('3.5', '-deletetype')).toEqual(usual.filter((id) => id !== 'deletetype'));
    expect(ids('3.5', 'names-loose')).not.toContain('names');
    expect(ids('3.5', 'ancradius')).not.toContain('ancsession');
    expect(ids('csrf', 'csrf415', 'csrf')).toEqual(['csrf']);
  });

  it('are refused by name if there is none', () => {
    expect(() => ids('3.9')).toThrow('there is no persona or rule 3.9');
    expect(() => ids('-nothing')).toThrow('there is no persona or rule nothing');
  });
});
