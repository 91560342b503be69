import { describe, expect, it } from 'vitest';
import { DEFECTS } from '../../reference/defects/table.ts';
import type { PersonasScore } from '../../reference/selftest/personas/score.ts';
import { scoreOf } from '../../reference/selftest/score.ts';
import { type Subject, subjectsOf } from '../../reference/selftest/subject.ts';
import { importedFrom } from '../helpers/a-definition.ts';
import { runCli } from '../helpers/cli.ts';
import { NO_COST, scoredOf, scoreOfLines } from '../helpers/in-selftest.ts';
import { SEQUENCE } from '../helpers/odd-definitions.ts';

it('a sample of the selftest kills its defects, accuses no sound deployment and believes no null target', async () => {
  // The full run against the clean deployment is a test of its own.
  const subjects = subjectsOf({ seed: 1, quick: true, pairs: 0 }).filter(({ kind }) => kind !== 'clean');
  // What the defect drops, records of the other family do not hold.
  const families = ({ kind }: Subject) => (kind === 'defect' ? ['portaltheme'] : ['sxpvpns']);
  const scored = await scoredOf(subjects.map((subject) => ({ ...subject, families: families(subject) })));
  const score = scoreOf(scored, { seed: 1, scope: 'quick', defects: DEFECTS, cost: NO_COST });
  expect(score.gate.filter(({ met }) => !met)).toEqual([]);
  expect(score.totals).toMatchObject({ defects: 1, killed: 1, right: 1, allowed: 1, nullTargets: 1 });
});

describe('the command selftest', () => {
  it('runs the rules that are named beside the clean deployment in its workers, and prints the score', async () => {
    const named = ['--persona', 'paging+past404', '--mode', 'read-only', '--families', importedFrom(SEQUENCE).file];
    const { code, stdout, stderr } = await runCli(['selftest', ...named, '--quiet', '--json']);
    const { met, scores } = JSON.parse(stdout) as PersonasScore;
    expect(scores.map(({ kind, name, runs }) => [kind, name, runs.map(({ mode }) => mode)])).toEqual([
      ['clean', 'none', ['read-only']],
      ['pair', 'paging+past404', ['read-only']],
    ]);
    expect(scores.flatMap(({ runs }) => runs).filter(({ requests }) => requests < 50)).toEqual([]);
    expect([met, code], stderr).toEqual([true, 0]);
  });

  it.each([
    ['a defect', ['selftest', '--defect', 'M99'], 'there is no defect M99'],
    ['a generated defect', ['selftest', '--line', 'filter-none nowhere @always'], 'there is no generated defect'],
    ['a rule', ['selftest', '--persona', '3.9'], 'there is no persona or rule 3.9'],
    ['explore without writes', ['explore', '--base-url', 'http://127.0.0.1:1'], 'explore creates records'],
    [
      'a path without its seed',
      ['explore', '--base-url', 'http://127.0.0.1:1', '--mode', 'own-data', '--path', '1:2'],
      '--path needs the --seed',
    ],
  ])('refuses what there is none of, before anything is run: %s', async (_, args, says) => {
    const { code, stderr } = await runCli(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
  });
});

// One of each space; `selftest` takes as many lines as it is asked for.
it.each([
  ['generated', 'a bulk create that does nothing every second time', 'bulk-undone sxpvpns action=create @second'],
  ['held-out', 'a list while a record is made', 'queries-while-written sgt kind=plain effect=first-twice @always'],
] as const)('the suite alone finds a %s defect: %s', { timeout: 300_000 }, async (space, _mistake, line) => {
  const { survivors, total } = await scoreOfLines(space, [line], 'quick');
  expect(survivors).toEqual([]);
  expect(total).toMatchObject({ killed: 1, of: 1 });
});
