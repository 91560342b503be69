import type { Command } from 'commander';
import type * as z from 'zod';
import { stepText } from '../../explore/explore.ts';
import { UsageError } from '../../lib/errors.ts';
import { EXIT, worstExit } from '../../lib/exit-codes.ts';
import { counted } from '../../lib/numbers.ts';
import { present } from '../../lib/present.ts';
import { bind } from '../options/bind.ts';
import { ExploreCommandSpec } from '../options/specs.ts';
import { readTemplates } from '../options/templates.ts';
import { leftFindings } from '../output/finding.ts';
import { createOutput, faultLines, type Output } from '../output/output.ts';
import { exitOf } from '../session/exit.ts';
import { startTargetSession } from '../session/run-session.ts';
import { exitOfSignal } from '../session/signals.ts';
import { type ExploreFinding, explorable, exploreStage } from '../stages/explore.ts';

type Options = z.output<typeof ExploreCommandSpec>;

/** Seeds that are drawn are short enough to be typed. */
const SEEDS = 1_000_000;

function check({ families, mode, path, seed }: Options): void {
  const known = explorable();
  const unknown = families?.filter((name) => !known.includes(name)) ?? [];
  if (unknown.length > 0)
    throw new UsageError('unknown-family', `explore does not support ${unknown.join(', ')}`, {
      hint: `one of ${known.join(', ')}`,
    });
  if (mode === undefined || mode === 'read-only')
    throw new UsageError('mode-needed', 'explore creates records, which mode read-only forbids', {
      hint: 'use --mode own-data, or --mode full with --endpoints to include ANC',
    });
  if (path !== undefined && (seed === undefined || families?.length !== 1))
    throw new UsageError('path-alone', '--path needs the --seed and the --family of its finding', {
      hint: 'copy the replay command of the finding',
    });
}

function say(finding: ExploreFinding, output: Output): void {
  const { result, steps, metIn, curl, replay } = finding;
  output.warn('');
  output.warn(`${result.verdict}  ${result.requirement} (${result.level})  ${result.family}: ${result.variant ?? ''}`);
  output.warn(`  expected ${result.expected ?? ''}`);
  output.warn(`  observed ${result.observed ?? ''}`);
  output.warn(
    result.flaky === true
      ? `  flaky: it was met once, and not when these ${steps.length} steps were sent again:`
      : `  ${steps.length} of ${metIn} steps are needed:`,
  );
  for (const step of steps) output.warn(`    ${stepText(step)}`);
  output.warn(`  replay: ${replay}`);
  output.warn('  the requests in order:');
  for (const line of curl) output.warn(`    ${line.replaceAll('\n', '\n    ')}`);
}

async function exploreAction(options: Options): Promise<void> {
  check(options);
  const output = createOutput(options);
  const { mode = 'own-data', families, path, durationSeconds, most } = options;
  // A new seed each time, unless one is given: that is what a nightly search is for.
  const seed = options.seed ?? Math.floor(Math.random() * SEEDS);
  const templates = readTemplates(options.templates);
  const applied = { ...options, mode, seed };
  const { session, target, pool, baseline } = startTargetSession('explore', ExploreCommandSpec, applied, output);
  const stage = { target, mode, seed, pool, baseline, path, families, durationSeconds, most, templates };
  const { findings, searched, fault } = await exploreStage(session, stage, output);
  const signal = session.signals.received();
  session.end();
  if (options.json) output.data(JSON.stringify({ seed, findings, searched }, null, 2));
  for (const finding of findings) say(finding, output);
  const compared = Object.entries(searched).map(([name, { comparisons }]) => `${name} ${comparisons}`);
  output.warn('');
  if (fault !== undefined) for (const line of faultLines(fault)) output.warn(line);
  output.warn(
    `explore: ${counted(findings.length, 'finding')}, seed ${seed}; comparisons: ${compared.join(', ') || 'none'}`,
  );
  const left = leftFindings(session.cleanup());
  for (const { subject, found, mend = '' } of left)
    output.warn(`${subject}: ${found}${mend === '' ? '' : `; ${mend}`}`);
  output.warn(`records: ${session.writer.folder}`);
  const ends = present(
    signal !== undefined ? exitOfSignal(signal) : fault !== undefined && exitOf(fault),
    ...left.map(({ exit }) => exit),
    findings.some(({ result }) => result.verdict === 'fail') && EXIT.failed,
  );
  process.exitCode = worstExit(ends);
}

export function exploreCommand(program: Command): void {
  const command = program
    .command('explore')
    .description('search for violations with random sequences of operations')
    .addHelpText(
      'after',
      '\nA finding names a requirement, the shortest sequence that violates it, curl commands, and a command that\n' +
        'replays it. The exit code is 1 if a stated requirement is violated.\n' +
        '\nExamples:\n  ers-harness explore --base-url https://policy.example.com:9060 --mode own-data --for 5m\n' +
        '  ers-harness explore --base-url https://policy.example.com:9060 --mode own-data --family sgt --seed 7 --path 3',
    );
  bind(command, ExploreCommandSpec, exploreAction);
}
