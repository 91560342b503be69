import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VARIATIONS } from '../../../reference/variations/table.ts';
import { ALLOWED } from '../../helpers/allowed-deviations.ts';
import { judged } from '../../helpers/histories.ts';
import { inProcess } from '../../helpers/in-process.ts';
import { type Played, type Pool, type Program, playAll, programs, questionsOf } from '../../helpers/programs.ts';

/** Texts with everything that deployments have been seen to confuse. */
const TEXTS = [
  ...['beta', 'Beta', 'betamax', 'xbeta', 'alpha', 'aab', 'zeta10', 'zeta9', 'a.b', 'axb', 'al%ha', 'al_ha', 'alXha'],
  ...[
    'M\u00fcller',
    'Mu\u0308ller',
    'muller',
    'stra\u00dfe',
    'STRASSE',
    '\u0130x',
    'ix',
    '\u6f22\u5b57',
    '\u{1f363}',
    '\u{1f37a}',
  ],
  ...[' beta', 'beta ', 'a  b', 'a b', '42', '042', 'true', 'null', '<b>&amp;"', "it's", 'a,b', 'a/b', 'a\nb'],
];
const ANY: Pool = {
  names: TEXTS,
  texts: [...TEXTS, '', '  '],
  operands: [...TEXTS, '10', '010', '+9', '-1', '65546', '9.0', 'ten', 'TRUE', 'false', '\u00fc', 'SS', ' ', 'z'],
  numbers: [9, 10, 11, 99, 100, 101, 1000, 2, 65519, -1],
  isPlain: false,
};

/** Deployments that conform. One that shows a write late needs time, which is the driver's. */
const SOUND = [...VARIATIONS.filter(({ silence }) => silence !== 'FRESH-1'), ...ALLOWED];
const IGNORES_CASE = new Set(['V09', 'upper', 'lower', 'ascii-lower', 'accents']);

async function accusation(deviations: typeof SOUND, program: Program, isTold: boolean) {
  const target = inProcess(deviations);
  const played: Played = await playAll(target, program);
  const caseRule = deviations.some(({ id }) => IGNORES_CASE.has(id)) ? 'insensitive' : 'sensitive';
  let largestPage: number | undefined;
  for (const question of questionsOf(program, played)) {
    const seen = await target.look(question);
    const facts = { caseRule: isTold ? caseRule : undefined, largestPage } as const;
    const found = judged(played.history, seen, facts);
    if (found !== undefined) return { found, question, shown: seen.shown, history: played.history };
    if ('pages' in seen.shown)
      largestPage = Math.max(largestPage ?? 0, ...seen.shown.pages.map(({ length }) => length));
  }
  return undefined;
}

describe('the oracle and a conforming deployment', () => {
  it.each(SOUND.map((deviation) => [deviation.title, deviation] as const))('agree: %s', async (_title, deviation) => {
    await fc.assert(
      fc.asyncProperty(programs(ANY), fc.boolean(), async (program, isTold) => {
        expect(await accusation([deviation], program, isTold)).toBeUndefined();
      }),
      { numRuns: 5 },
    );
  });

  it('agree whatever it chooses at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom(...SOUND), { maxLength: 4 }),
        programs(ANY),
        fc.boolean(),
        async (deviations, program, isTold) => {
          expect(await accusation(deviations, program, isTold)).toBeUndefined();
        },
      ),
      { numRuns: 150 },
    );
  });
});
