import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, ResultsError } from '../../lib/errors.ts';
import { foreignFolder, MOST_BYTES } from '../../lib/records/folder/foreign.ts';
import type { CellFacts } from '../../lib/records/load/load.ts';
import { type ProbeFacts, type RunnerPod, readProbe, runnerPods } from './pods.ts';

export interface CollectedEvidence {
  readonly pods: readonly RunnerPod[];
  readonly probes: readonly ProbeFacts[];
  /** Largest step of the wall clock against k6's own, milliseconds. */
  readonly clockStepMs: number;
}

/** Nothing may be judged on stand-ins. */
const missing = (cell: string, what: string) =>
  new ResultsError('evidence-missing', `${cell} left no record of ${what}`, {
    hint: 'run it again; the runner image must have sh, sha256sum and tar',
  });

/** Throws `ResultsError` if the evidence is not of exactly the pods that wrote the rows, or the clock was not marked. */
export function checkEvidence(cell: string, { pods, probes, clockStepMs }: CollectedEvidence, rows: readonly string[]) {
  if (Number.isNaN(clockStepMs)) throw missing(cell, 'the clock of the runners');
  for (const [what, given] of [
    ['pods', pods.map(({ name }) => name)],
    ['probes', probes.map(({ pod }) => pod)],
  ] as const) {
    const [names, wanted] = [given, rows].map((list) => list.toSorted().join(', '));
    if (names === wanted) continue;
    const message = `the ${what} are of ${names || 'no pod'}, the rows of ${wanted}`;
    throw new ResultsError('evidence-foreign', message, { hint: 'name files of one run of one cell' });
  }
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

/** How the runners ended: the first that did not end in order speaks for all. */
function endingOf({ pods, probes }: CollectedEvidence): Pick<CellFacts['generator'], 'exitCode' | 'signal'> {
  const pod = pods.find(({ exitCode, faults }) => exitCode !== 0 || faults.length > 0);
  if (pod !== undefined) return { exitCode: pod.exitCode, signal: pod.faults[0] ?? null };
  const probe = probes.find(({ exitCode }) => exitCode !== 0);
  return { exitCode: probe === undefined ? 0 : probe.exitCode, signal: null };
}

export function generatorOf(evidence: CollectedEvidence): CellFacts['generator'] {
  const { pods, probes, clockStepMs } = evidence;
  return {
    k6Version: '',
    k6Sha256: probes[0]?.k6Sha256 ?? '',
    bundleSha256: probes[0]?.scriptSha256 ?? '',
    ...endingOf(evidence),
    streamComplete: true,
    ...{ collectorCpuMean: 0, eventLoopDelayP99Ms: 0 },
    ...usageOf(probes),
    clockStepMs,
    warnings: pods.flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault}`)),
  };
}

/** What one runner wrote: rows of k6 as CSV, compressed where the name ends with `.gz`. */
export interface RunnerFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export function podOf(name: string): string {
  return name.replace(/\.(csv|csv\.gz|probe)$/, '');
}

/** Rows, endings and probes of a cell. The folder was written elsewhere: nothing is read through a link. Throws `ResultsError`. */
export function readRun(cell: string, folder: string) {
  const copied = foreignFolder(folder);
  const reading = <T>(name: string, work: () => T | undefined): T => {
    try {
      const read = work();
      if (read !== undefined) return read;
    } catch (cause) {
      throw new ResultsError('segment-missing', `${join(folder, name)} cannot be read: ${messageOf(cause)}`, { cause });
    }
    throw new ResultsError('segment-missing', `${join(folder, name)} cannot be read: there is none`);
  };
  const bytes = (name: string) => reading(name, () => copied.file(name, MOST_BYTES.samples));
  const text = (name: string) => Buffer.from(bytes(name)).toString('utf8');
  const names = reading('.', () => copied.names('.'));
  const rows = names.filter((name) => name.startsWith(`${cell}-`) && /\.csv(\.gz)?$/.test(name));
  const probes = rows.map((name) => `${podOf(name)}.probe`).filter((name) => existsSync(join(folder, name)));
  const pods = names.find((name) => name === `${cell}.pods.json`);
  if (pods === undefined) throw missing(cell, 'how the runners ended');
  if (probes.length === 0) throw missing(cell, 'what the runners used');
  return {
    rows: rows.map((name): RunnerFile => ({ name, bytes: bytes(name) })),
    pods: runnerPods(text(pods), cell),
    probes: probes.map((name) => readProbe(name, text(name))),
  };
}
