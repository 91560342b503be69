import { createHash } from 'node:crypto';
import type { CellFacts } from '../../lib/records/load/load.ts';
import { writeSegment } from '../../lib/records/merge/segment-folders.ts';
import type { CellSpec } from '../plan/cell-spec.ts';
import type { CellRun } from './cell-types.ts';

/** Digest of what a cell is, by which its segments know each other; what differs between machines and all secrets left out. */
export function planHash(spec: CellSpec): string {
  const { credentials: _, clientCertificate: _own, caFile: _ca, k6Outputs: _outputs, k6Tags: _tags, ...plan } = spec;
  return createHash('sha256').update(JSON.stringify(plan)).digest('hex');
}

/** Writes what each of several processes recorded into a run folder of its own. Nothing to do where there was one process. */
export function writeParts(runFolder: string, facts: CellFacts, run: CellRun, hash: string): void {
  const { segments: _, ...common } = facts;
  for (const { index, of, startUs, samples, counts, failures, generator } of run.parts ?? []) {
    const segment = { index, of, startUs, planHash: hash };
    writeSegment(runFolder, { ...common, counts, failures, generator, segment }, samples);
  }
}
