/** First letters of every name that a run gives. */
export const NAME_START = 'cfm';

const RUN_ID = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-([0-9a-z]{4})$/;
const NAME = /^cfm([0-9a-z]{5})[0-9a-z]{3}/;
const MINUTE_MS = 60_000;
/** Minutes are counted from here, so that five characters of base 36 last until 2140. */
const EPOCH_MS = Date.UTC(2026, 0, 1);
const DIGITS = 5;
/** Characters that tell one run from others. */
const MARK = 8;

/**
 * What every name of a run starts with: `cfm`, the minute the run began (base 36), and the tail of its id, which tells
 * apart runs that began in the same minute. Eleven letters and digits, because deployments bound the length and the
 * alphabet of names.
 */
export function runPrefix(runId: string): string {
  const [, year, month, day, hour, minute, , tail] = RUN_ID.exec(runId) ?? [];
  if (tail === undefined)
    return `${NAME_START}${runId
      .replace(/[^A-Za-z0-9]/g, '')
      .toLowerCase()
      .slice(-MARK)
      .padEnd(MARK, 'x')}`;
  const began = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
  const minutes = Math.max(0, Math.round((began - EPOCH_MS) / MINUTE_MS));
  return `${NAME_START}${minutes.toString(36).padStart(DIGITS, '0')}${tail.slice(-(MARK - DIGITS))}`;
}

/** The run that gave a name, in any case: how all its names start, and when it began, to the minute; undefined if the name is no such. */
export function runOfName(name: string): { readonly prefix: string; readonly start: Date } | undefined {
  const [prefix, minutes] = NAME.exec(name.trimStart().toLowerCase()) ?? [];
  if (prefix === undefined || minutes === undefined) return undefined;
  return { prefix, start: new Date(EPOCH_MS + Number.parseInt(minutes, 36) * MINUTE_MS) };
}

/** True for an id as runs have it: nothing else tells which names are those of a run. */
export const isRunId = (text: string): boolean => RUN_ID.test(text);

/** True for a name that begins so, in any case and behind blanks: a deployment may store it in other letters. */
export const beginsWith = (name: string, beginning: string): boolean =>
  name.trimStart().toLowerCase().startsWith(beginning.toLowerCase());

/** True for the names of one run, in any case, as its checks give them: the prefix in one piece, as nobody else writes a name. */
export function namesOfRun(runId: string): (name: string) => boolean {
  const begin = runPrefix(runId);
  return (name) => beginsWith(name, begin);
}
