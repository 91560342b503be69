/** First letters of every name that a run gives. */
export const NAME_START = 'cfm-';

const RUN_ID = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-([0-9a-z]{4})$/;
const NAME = /^cfm-([0-9a-z]{5})[0-9a-z]{3}-/;
const MINUTE_MS = 60_000;
/** Minutes are counted from here, so that five characters of base 36 last until 2140. */
const EPOCH_MS = Date.UTC(2026, 0, 1);
const DIGITS = 5;

/**
 * What every name of a run starts with: `cfm-`, the minute the run began (base 36), and the tail of its id, which tells
 * apart runs that began in the same minute. Short, because deployments bound the length of names.
 */
export function runPrefix(runId: string): string {
  const [, year, month, day, hour, minute, , tail] = RUN_ID.exec(runId) ?? [];
  if (tail === undefined) return `${NAME_START}${runId.replace(/[^A-Za-z0-9]/g, '').slice(-8)}-`;
  const began = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
  const minutes = Math.max(0, Math.round((began - EPOCH_MS) / MINUTE_MS));
  return `${NAME_START}${minutes.toString(36).padStart(DIGITS, '0')}${tail.slice(-3)}-`;
}

/** When the run began that gave a name, to the minute; undefined where the name does not tell. */
export function runStartOf(name: string): Date | undefined {
  const minutes = NAME.exec(name)?.[1];
  return minutes === undefined ? undefined : new Date(EPOCH_MS + Number.parseInt(minutes, 36) * MINUTE_MS);
}
