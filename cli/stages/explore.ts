import { checks } from '../../conformance/catalog.ts';
import { openEvidence } from '../../conformance/engine/evidence/evidence.ts';
import type { Templates } from '../../conformance/engine/first-contact.ts';
import { type ExploreRun, explore, type Finding } from '../../explore/explore.ts';
import type { ExploreSpec } from '../../explore/spec.ts';
import { preflight } from '../../lib/client/http/preflight.ts';
import type { ErsClient, Recordable, TargetConfig } from '../../lib/client/types.ts';
import { systemClock } from '../../lib/clock.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { levelOf } from '../../lib/contract/requirements.ts';
import type { Family } from '../../lib/contract/types.ts';
import { defined } from '../../lib/defined.ts';
import { expects } from '../../lib/judge/conformance/baseline/known.ts';
import { counted } from '../../lib/numbers.ts';
import type { Baseline } from '../../lib/records/baseline.ts';
import type { ConformanceResult } from '../../lib/records/conformance.ts';
import type { Mode } from '../../lib/records/vocabulary.ts';
import type { NamedPolicyPool } from '../../load/plan/cell-spec.ts';
import { curlOf } from '../../reports/model/command-line.ts';
import type { Output } from '../output/output.ts';
import { startProgress } from '../output/progress.ts';
import { withClient } from '../session/client.ts';
import type { RunSession } from '../session/run-session.ts';

/** Name under which findings stand among results, and in baselines. */
const EXPLORE_CHECK = 'explore/sequence';

type StageOptions = Pick<ExploreSpec, 'families' | 'path' | 'durationSeconds' | 'most'> & {
  readonly target: TargetConfig;
  readonly mode: Mode;
  readonly seed: number;
  readonly templates: Templates;
  readonly pool: NamedPolicyPool | undefined;
  readonly baseline: Baseline | undefined;
};

export interface ExploreFinding {
  readonly result: ConformanceResult;
  readonly steps: Finding['steps'];
  readonly metIn: number;
  readonly curl: readonly string[];
  readonly replay: string;
}

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

export interface Explored {
  readonly findings: readonly ExploreFinding[];
  readonly searched: ExploreRun['searched'];
  /** What ended the search early, unless a signal did. */
  readonly fault?: unknown;
}

/** Searches the target and records what was found. A fault of the target is recorded, not thrown. */
export async function exploreStage(session: RunSession, options: StageOptions, output: Output): Promise<Explored> {
  const { seed, mode, target, pool, durationSeconds, most } = options;
  const recent = new Map<string, Recordable>();
  const evidence = openEvidence(session.writer.exchange);
  const onExchange = (sent: Recordable) => {
    evidence.capture(sent);
    recent.set(sent.id, sent);
  };
  const progress = startProgress('explore', durationSeconds, output);
  const begun = systemClock.monotonicMs();
  const passed = () => Math.round((systemClock.monotonicMs() - begun) / 1000);
  const findings: ExploreFinding[] = [];
  const { baseline, families, path, templates } = options;
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
    const { steps, metIn, exchanges, family } = finding;
    const records = exchanges.flatMap((id) => recent.get(id)?.record() ?? []);
    const replay = `ers-harness explore --family ${family} --seed ${finding.seed} --path ${finding.path}`;
    findings.push({ result, steps, metIn, curl: records.map((record) => curlOf(record)), replay });
  };
  const search = async (client: ErsClient): Promise<Explored> => {
    await preflight(client);
    const run = await explore(
      { seed, durationMs: durationSeconds * 1000, most, isExpected, ...defined({ families, path, templates }) },
      {
        ...{ client, clock: systemClock, signal: session.signals.abort, onDrop, onFinding },
        onTurn: (family) => progress.update(Math.min(durationSeconds, passed()), family),
      },
    );
    session.addCleanup(run.cleanup);
    return { findings, searched: run.searched };
  };
  try {
    return await withClient(session, { target, mode, pool, onExchange }, search);
  } catch (fault) {
    if (session.signals.abort.aborted) return { findings, searched: {} };
    session.fault(fault);
    return { findings, searched: {}, fault };
  } finally {
    progress.stop(`explore: ${counted(findings.length, 'finding')}`);
  }
}

export const explorable = (): readonly string[] =>
  Object.values<Family>(FAMILIES).flatMap(({ name, ops }) => (ops.includes('list') ? [name] : []));
