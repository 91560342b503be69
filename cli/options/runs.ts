import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { suggestion } from '../../lib/did-you-mean.ts';
import { UsageError } from '../../lib/errors.ts';
import { Answer } from '../../lib/records/answer.ts';
import { FILES } from '../../lib/records/folder/files.ts';
import { readableIn } from '../../lib/records/folder/foreign.ts';

export const RUNS_FOLDER = 'runs';

/** What the list shows of a run; the rest of its report is not read. */
const Shown = z.object({
  run: z.object({
    runId: z.string(),
    command: z.string(),
    startedAt: z.string(),
    target: z.object({ baseUrl: z.string() }),
  }),
  answer: Answer.pick({ ending: true, tone: true }),
  exit: z.object({ code: z.int() }),
});

const isRun = (folder: string) => existsSync(join(folder, FILES.header));

/** Every run of a folder by the name of its own, the newest last; links such as `latest` are left out. Nothing is shown of one that was cut, or is under way. */
export function listRuns(runs: string) {
  if (!existsSync(runs)) return [];
  return readdirSync(runs, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && isRun(join(runs, entry.name)))
    .map(({ name }) => ({ name, folder: join(runs, name), shown: readableIn(join(runs, name), FILES.report, Shown) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Folder of a run, by its path, its id, the beginning of its id, or `latest`. Throws `UsageError`. */
export function runFolder(given: string, runs: string): string {
  if (statSync(given, { throwIfNoEntry: false })?.isDirectory() === true) return given;
  const names = existsSync(runs) ? readdirSync(runs).filter((name) => isRun(join(runs, name))) : [];
  const begun = names.filter((name) => name.startsWith(given));
  const [only, ...others] = begun.includes(given) ? [given] : begun;
  if (only !== undefined && others.length === 0) return join(runs, only);
  const which = begun.length > 1 ? `${given} begins ${begun.length} ids: ${begun.slice(0, 5).join(', ')}` : undefined;
  throw new UsageError('no-such-run', which ?? `there is no run ${given} in ${runs}`, {
    hint: suggestion(given, names) ?? '`ers-harness report list` shows the runs',
  });
}

/** Id of a run: when it began, and four characters that tell two begun in the same second apart. */
export function runId(now: Date): string {
  const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  const tail = Math.floor(Math.random() * 36 ** 4)
    .toString(36)
    .padStart(4, '0');
  return `${stamp}-${tail}`;
}
