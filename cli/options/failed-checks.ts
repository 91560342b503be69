import { join } from 'node:path';
import { checks } from '../../conformance/catalog.ts';
import { UsageError } from '../../lib/errors.ts';
import { readRunFolder } from '../../lib/records/folder/reader.ts';
import { RUNS_FOLDER } from './runs.ts';

/** Checks and everything they rest on: without them they would be blocked for another reason than before. */
export function withRoots(ids: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const add = (one: string) => {
    if (found.has(one)) return;
    found.add(one);
    for (const root of checks.find((check) => check.id === one)?.dependsOn ?? []) add(root.split('|')[0] ?? root);
  };
  ids.forEach(add);
  return [...found];
}

/** Families and checks that failed in the latest run. Throws `UsageError` if there is none, or if nothing failed in it. */
export function lastFailed(): { readonly families: readonly string[]; readonly checks: readonly string[] } {
  const folder = join(RUNS_FOLDER, 'latest');
  const failed = readRunFolder(folder).results.filter(({ verdict }) => verdict === 'fail');
  if (failed.length === 0) throw new UsageError('nothing-failed', `no check failed in ${folder}`);
  return {
    families: [...new Set(failed.map(({ family }) => family))],
    checks: withRoots([...new Set(failed.map(({ checkId }) => checkId))]),
  };
}
