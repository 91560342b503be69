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
