/** A count with thin groups of thousands. */
export const count = (value: number): string => String(Math.round(value)).replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');

/** Milliseconds to three significant digits; null is an arrival share that was never served. */
export function ms(value: number | null): string {
  if (value === null) return 'not served';
  if (value >= 100) return count(value);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export const millis = (value: number | null): string => (value === null ? ms(value) : `${ms(value)} ms`);

export const rate = (value: number): string => (value >= 1000 ? count(value) : value.toFixed(1));

export const percent = (value: number): string => `${(value * 100).toFixed(value < 0.1 ? 1 : 0)} %`;

/** A length of time in words: `4 min 12 s`. */
export function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 1) return `${Math.round(milliseconds)} ms`;
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600
    ? `${Math.floor(seconds / 60)} min ${seconds % 60} s`
    : `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** A length of time that is not known to the second: `about 38 min`. */
export const roughly = (seconds: number): string =>
  seconds >= 120 ? `${count(seconds / 60)} min` : duration(seconds * 1000);

/** An instant as `2026-01-31 12:00 UTC`. */
export const instant = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

/** A number with its noun in the right form: `1 result`, `2 results`, `0 entries`. */
export const counted = (number: number, noun: string, plural = `${noun}s`): string =>
  `${count(number)} ${number === 1 ? noun : plural}`;

/** `is` or `are`, as a number of things asks for. */
export const be = (number: number): string => (number === 1 ? 'is' : 'are');

const MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** How a duration is written: a number with a unit, or a bare one. */
export const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/;

/** Milliseconds of a duration such as 500ms, 20s, 5m or 1h, where a bare number is seconds; undefined for anything else. */
export function durationMs(text: string): number | undefined {
  const found = DURATION.exec(text);
  return found === null ? undefined : Number(found[1]) * (MS[found[2] ?? 's'] ?? 1);
}

/** A duration in the largest unit of which it is a whole number. */
export function durationText(ms: number): string {
  const unit = (['h', 'm', 's'] as const).find((name) => ms >= (MS[name] ?? 0) && ms % (MS[name] ?? 1) === 0) ?? 'ms';
  return `${ms / (MS[unit] ?? 1)}${unit}`;
}
