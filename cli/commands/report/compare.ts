import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../../../lib/errors.ts';
import { makeFolder, writeWhole } from '../../../lib/records/folder/disk.ts';
import {
  type Comparison,
  compareRuns,
  OUTCOME_EXIT,
  outcomeWords,
  runsGivenTwice,
} from '../../../reports/compare/comparison.ts';
import { comparisonSections } from '../../../reports/compare/document.ts';
import type { LoadRun } from '../../../reports/compare/load.ts';
import { renderComparison } from '../../../reports/html/compare/page.tsx';
import { documentLines } from '../../../reports/render/document-lines.ts';
import { bindLocal } from '../../options/bind.ts';
import { createOutput } from '../../output/output.ts';
import { writing } from '../../output/writing.ts';
import { readLoadRun } from '../../stages/load-run.ts';
import { compareByPairs, type PairSides } from './compare-pairs.ts';
import { CompareSpec } from './compare-spec.ts';

function answerLines(comparison: Comparison): readonly string[] {
  const { reasons } = comparison;
  return [
    `${outcomeWords(comparison)}${reasons.length === 0 ? '' : `: ${reasons.slice(0, 5).join('; ')}`}`,
    ...(reasons.length > 5 ? [`  and ${reasons.length - 5} more reasons`] : []),
  ];
}

/** Operands as typed: what begins with a dash stood behind `--` and belongs to the loads of the pairs. */
function sidesOf([a = '', ...rest]: readonly string[]): PairSides {
  const at = rest.findIndex((word) => word.startsWith('-'));
  const [b] = at === -1 ? rest : rest.slice(0, at);
  return { a, b, load: at === -1 ? [] : rest.slice(at) };
}

function compareFolders(first: string, second: string, options: CompareSpec): void {
  const output = createOutput(options);
  const before: [LoadRun, ...LoadRun[]] = [readLoadRun(first), ...(options.alsoBefore ?? []).map(readLoadRun)];
  const after: [LoadRun, ...LoadRun[]] = [readLoadRun(second), ...(options.alsoAfter ?? []).map(readLoadRun)];
  const twice = runsGivenTwice([...before, ...after]);
  if (twice.length > 0) {
    throw new UsageError(
      'same-run',
      `run ${twice.join(', ')} is given more than once: a run is not compared with itself`,
      {
        hint: '`ers-harness report list` shows all runs; runs/latest is the newest one',
      },
    );
  }
  const comparison = compareRuns(before, after);
  const { outcome, reasons, circumstances, conformance, load, capacity } = comparison;
  if (options.json) {
    const runs = { before: comparison.before.run.runId, after: comparison.after.run.runId };
    output.data(JSON.stringify({ ...runs, outcome, reasons, circumstances, conformance, load, capacity }));
  }
  const lines = [...documentLines(comparisonSections(comparison)), ...answerLines(comparison)];
  for (const line of lines) output.result(line);
  const { html } = options;
  if (html !== undefined) {
    const reports = (side: readonly LoadRun[]) => side.map(({ report }) => report);
    writing(html, '--html', () => {
      makeFolder(dirname(resolve(html)));
      writeWhole(html, renderComparison(comparison, reports(before), reports(after)));
    });
    output.result(`page: ${html}`);
  }
  process.exitCode = OUTCOME_EXIT[outcome];
}

function compare(given: readonly string[], options: CompareSpec): void | Promise<void> {
  const { pairs } = options;
  if (pairs !== undefined) return compareByPairs(sidesOf(given), { ...options, pairs });
  const [before, after, further] = given;
  if (before !== undefined && after !== undefined && further === undefined)
    return compareFolders(before, after, options);
  throw new UsageError('two-runs', 'two runs are compared: one before and one after', {
    hint: 'name two folders, further ones with --also-before and --also-after; two deployments are loaded in turn with --pairs',
  });
}

/** `ers-harness report compare A B`: what changed between two runs, or how two targets differ. */
export function reportCompareCommand(report: Command): void {
  const command = report
    .command('compare')
    .argument('<runs...>', 'before and after: two folders of runs, or their report.json; with --pairs two URLs')
    .summary('list what changed for the worse or the better between two runs')
    .description(
      'list what newly fails, is fixed or is no longer proven between two runs, and which load cells and capacity got better or worse',
    )
    .addHelpText(
      'after',
      '\nExit 1: something newly fails, fails in another way, or got worse. 4: a part cannot be compared. 6: nothing can.\n' +
        '\nExamples:\n  ers-harness report compare runs/20260131-020000-abcd runs/latest --html compare.html' +
        '\n  ers-harness report compare https://old.example.com https://new.example.com --pairs 12 \\\n' +
        '    -- --profile 60k --operation apply-by-mac --endpoints 02:00:00:00:00:00+60000 --policy Load-Test\n' +
        '\nWith --pairs, what stands behind -- goes to load; one URL alone is recorded for a later comparison.',
    );
  bindLocal<typeof CompareSpec, [string[]]>(command, CompareSpec, compare);
}
