import type { CellFacts } from '../../lib/records/load/load.ts';
import type { RunnerPod } from './pods.ts';
import type { ProbeFacts } from './probe.ts';

/** What is known of the generators besides their rows, and of the endpoints. What is absent was not measured. */
export interface CollectedEvidence {
  /** One for each runner. */
  readonly pods?: readonly RunnerPod[];
  readonly probes?: readonly ProbeFacts[];
  /** Largest step of the wall clock against k6's own, milliseconds. */
  readonly clockStepMs?: number;
  readonly readBack?: CellFacts['readBack'];
}

/** The busiest runner decides: shares are of what each may use. */
function usageOf(probes: readonly ProbeFacts[]) {
  const cores = Math.min(...probes.map((probe) => probe.cores));
  const worst = (share: (probe: ProbeFacts) => number) =>
    Math.max(...probes.map((probe) => share(probe) / probe.cores)) * cores;
  const throttled = probes.map((probe) => probe.throttled);
  const digests = probes.flatMap(({ k6Sha256, scriptSha256 }) => [k6Sha256, scriptSha256]);
  const programs = new Set(probes.map(({ k6Sha256, scriptSha256 }) => `${k6Sha256} ${scriptSha256}`));
  return {
    cores,
    k6CpuMean: worst(({ cpuMean }) => cpuMean),
    k6CpuMax: worst(({ cpuMax }) => cpuMax),
    swap: { k6Kb: probes.reduce((sum, { swapKb }) => sum + swapKb, 0), collectorKb: 0, systemPages: null },
    runners: {
      count: probes.length,
      throttled: throttled.includes(null) ? null : Math.max(...throttled.map((share) => share ?? 0)),
      programs: digests.includes('') ? null : programs.size,
    },
  };
}

/** Stands for what nobody measured, so that the other rules can be judged. */
const NO_USAGE = { cores: 1, k6CpuMean: 0, k6CpuMax: 0, runners: { count: 1, throttled: 0, programs: 1 } } as const;

/** How the runners ended: the first that did not end in order speaks for all. */
function endingOf({ pods, probes }: CollectedEvidence): Pick<CellFacts['generator'], 'exitCode' | 'signal'> {
  const pod = pods?.find(({ exitCode, faults }) => exitCode !== 0 || faults.length > 0);
  if (pod !== undefined) return { exitCode: pod.exitCode, signal: pod.faults[0] ?? null };
  const probe = probes?.find(({ exitCode }) => exitCode !== 0);
  return { exitCode: probe === undefined ? 0 : probe.exitCode, signal: null };
}

/** The generators of a cell as its record has them. What was not measured has stand-ins. */
export function generatorOf(evidence: CollectedEvidence): CellFacts['generator'] {
  const { pods = [], probes, clockStepMs } = evidence;
  return {
    k6Version: '',
    k6Sha256: probes?.[0]?.k6Sha256 ?? '',
    bundleSha256: probes?.[0]?.scriptSha256 ?? '',
    ...endingOf(evidence),
    streamComplete: true,
    ...{ collectorCpuMean: 0, eventLoopDelayP99Ms: 0 },
    ...(probes === undefined ? NO_USAGE : usageOf(probes)),
    clockStepMs: clockStepMs ?? 0,
    warnings: pods.flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault}`)),
  };
}
