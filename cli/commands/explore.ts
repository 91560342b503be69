import type { Command } from 'commander';
import type * as z from 'zod';
import { checks } from '../../conformance/catalog.ts';
import { openEvidence } from '../../conformance/engine/evidence/evidence.ts';
import type { Templates } from '../../conformance/engine/first-contact.ts';
import { type ExploreRun, explore, type Finding, stepText } from '../../conformance/explore/explore.ts';
import { preflight } from '../../lib/client/http/preflight.ts';
import type { ErsClient, Recordable } from '../../lib/client/types.ts';
import { systemClock } from '../../lib/clock.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { levelOf } from '../../lib/contract/requirements.ts';
import type { Family } from '../../lib/contract/types.ts';
import { defined } from '../../lib/defined.ts';
import { UsageError } from '../../lib/errors.ts';
import { EXIT, worstExit } from '../../lib/exit-codes.ts';
import { expects } from '../../lib/judge/conformance/baseline/known.ts';
import { present } from '../../lib/present.ts';
import type { Baseline } from '../../lib/records/baseline.ts';
import type { ConformanceResult } from '../../lib/records/conformance.ts';
import type { Mode } from '../../lib/records/vocabulary.ts';
import { counted } from '../../lib/text.ts';
import { curlOf } from '../../reports/model/command-line.ts';
import { bind } from '../options/bind.ts';
import { ExploreCommandSpec } from '../options/specs.ts';
import { readTemplates } from '../options/templates.ts';
import { leftFindings } from '../output/finding.ts';
import { createOutput, faultLines, type Output } from '../output/output.ts';
import { startProgress } from '../output/progress.ts';
import { endOf, tooSlow, withClient } from '../session/client.ts';
import { exitOf, exitOfSignal } from '../session/signals.ts';
import { startTargetSession } from '../session/target-session.ts';

type Options = z.output<typeof ExploreCommandSpec>;
type Applied = Options & { readonly mode: Mode; readonly seed: number };

/** Name under which findings stand among results, and in baselines. */
const EXPLORE_CHECK = 'explore/sequence';

/** A finding as `--json` prints it. */
type Found = Pick<Finding, 'steps' | 'metIn'> & {
  readonly result: ConformanceResult;
  readonly curl: readonly string[];
  readonly replay: string;
};

/** True for a difference that an entry which still holds expects, of this check or of one that decides its requirement. */
function expecter({ entries }: Baseline, today: string): (difference: Finding['difference']) => boolean {
  const valid = entries.filter(({ expires }) => expires >= today);
  return ({ requirement, family, about: failure }) => {
    const deciding = checks.filter((check) => check.requirement.replaceAll('{family}', family) === requirement);
    const ids = [EXPLORE_CHECK, ...deciding.map(({ id }) => id)];
    return valid.some(({ variant: _, ...entry }) =>
      ids.some((checkId) => expects(entry, { checkId, family, requirement, failure })),
    );
  };
}

function resultOf({ difference, steps, metIn, exchanges, isFlaky }: Finding): ConformanceResult {
  const { requirement, family, about, expected, observed } = difference;
  const level = levelOf(requirement, family);
  return {
    ...{ checkId: EXPLORE_CHECK, family, variant: `${requirement} ${about.operation} ${about.subject}` },
    title: 'random sequences show what the specification says',
    ...{ requirement, level, verdict: level === 'stated' ? 'fail' : 'warn', expected, observed, failure: about },
    ...(isFlaky ? { flaky: true } : {}),
    witness: { steps: steps.length, 'steps before shrinking': metIn },
    evidence: [...exchanges],
    durationMs: 0,
  };
}

/** Seeds that are drawn are short enough to be typed. */
const SEEDS = 1_000_000;

function check({ families, mode, path, seed }: Options): void {
  const known = Object.values<Family>(FAMILIES).flatMap(({ name, ops }) => (ops.includes('list') ? [name] : []));
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

/** What comes before the search and after it may take so long, seconds: looks, first writes, and shrinking. */
const AROUND_SECONDS = 600;

interface Searched {
  readonly searched: ExploreRun['searched'];
  /** What ended the search early, unless a signal did. */
  readonly fault?: unknown;
}

/** Searches the target and records what is found. A fault of the target is recorded, not thrown. */
async function search(
  { session, target, pool, baseline }: ReturnType<typeof startTargetSession>,
  { families, path, durationSeconds, most, seed, mode }: Applied,
  templates: Templates,
  output: Output,
  findings: Found[],
): Promise<Searched> {
  const recent = new Map<string, Recordable>();
  const evidence = openEvidence(session.writer.exchange);
  const onExchange = (sent: Recordable) => {
    evidence.capture(sent);
    recent.set(sent.id, sent);
  };
  const progress = startProgress('explore', durationSeconds, output);
  const signal = endOf(session, durationSeconds + AROUND_SECONDS);
  const begun = systemClock.monotonicMs();
  const passed = () => Math.round((systemClock.monotonicMs() - begun) / 1000);
  const isExpected =
    baseline === undefined ? () => false : expecter(baseline, systemClock.now().toISOString().slice(0, 10));
  const onDrop = (ids: readonly string[]) => {
    evidence.drop(ids);
    for (const id of ids) recent.delete(id);
  };
  const onFinding = (finding: Finding) => {
    const result = resultOf(finding);
    evidence.write(evidence.withWrites(result.evidence));
    session.writer.result(result);
    const { steps, metIn, family } = finding;
    const curl = finding.exchanges.flatMap((id) => recent.get(id) ?? []).map((sent) => curlOf(sent.record()));
    const replay = `ers-harness explore --family ${family} --seed ${finding.seed} --path ${finding.path}`;
    findings.push({ result, steps, metIn, curl, replay });
  };
  const work = async (client: ErsClient): Promise<Searched> => {
    await preflight(client);
    const run = await explore(
      { seed, durationMs: durationSeconds * 1000, most, isExpected, templates, ...defined({ families, path }) },
      {
        ...{ client, clock: systemClock, signal, onDrop, onFinding },
        onTurn: (family) => progress.update(Math.min(durationSeconds, passed()), family),
      },
    );
    session.addCleanup(run.cleanup);
    if (Object.keys(run.searched).length === 0) signal.throwIfAborted();
    return run;
  };
  try {
    return await withClient(session, { target, mode, pool, onExchange, signal }, work);
  } catch (thrown) {
    if (session.signals.abort.aborted) return { searched: {} };
    const fault = signal.aborted ? tooSlow(durationSeconds + AROUND_SECONDS, '--for') : thrown;
    session.fault(fault);
    return { searched: {}, fault };
  } finally {
    progress.stop();
  }
}

function lines({ result, steps, metIn, curl, replay }: Found): readonly string[] {
  return [
    '',
    `${result.verdict}  ${result.requirement} (${result.level})  ${result.family}: ${result.variant ?? ''}`,
    `  expected ${result.expected ?? ''}`,
    `  observed ${result.observed ?? ''}`,
    result.flaky === true
      ? `  flaky: it was met once, and not when these ${steps.length} steps were sent again:`
      : `  ${steps.length} of ${metIn} steps are needed:`,
    ...steps.map((step) => `    ${stepText(step)}`),
    `  replay: ${replay}`,
    '  the requests in order:',
    ...curl.map((line) => `    ${line.replaceAll('\n', '\n    ')}`),
  ];
}

async function exploreAction(options: Options): Promise<void> {
  check(options);
  const output = createOutput(options);
  // A new seed each time, unless one is given: that is what a nightly search is for.
  const { mode = 'own-data', seed = Math.floor(Math.random() * SEEDS) } = options;
  const templates = readTemplates(options.templates);
  const applied = { ...options, mode, seed };
  const started = startTargetSession('explore', ExploreCommandSpec, applied, output);
  const { session } = started;
  const findings: Found[] = [];
  const { searched, fault } = await search(started, applied, templates, output, findings);
  const signal = session.signals.received();
  session.end();
  if (options.json) output.data(JSON.stringify({ seed, findings, searched }, null, 2));
  for (const line of findings.flatMap(lines)) output.warn(line);
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

export const exploreCommand = (program: Command): Command =>
  bind(program.command('explore'), ExploreCommandSpec, exploreAction, {
    does: 'search for violations with random sequences of operations',
    notes: [
      'A finding names a requirement, the shortest sequence that violates it, curl commands, and a command that',
      'replays it. The exit code is 1 if a stated requirement is violated.',
    ],
    examples: [
      'explore --base-url https://policy.example.com:9060 --mode own-data --for 5m',
      'explore --base-url https://policy.example.com:9060 --mode own-data --family sgt --seed 7 --path 3',
    ],
  });
