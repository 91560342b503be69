import type { CellDeps, CellRun, CellSpec } from './k6-cell-types.ts';

/** Runs one cell on one k6 process and returns what it recorded. */
export async function runCell(_spec: CellSpec, _deps: CellDeps): Promise<CellRun> {
  throw new Error('not yet');
}
