import type { Step } from '../conformance/steps/step.ts';

const MAX = 90;

/** A value in a line, cut. */
const short = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > MAX ? `${text.slice(0, MAX)}…` : text;
};

/** A step in one line, for people; the curl lines say exactly what was sent. */
export function stepText({ step, ...parts }: Step): string {
  const told = Object.entries(parts).filter(([, value]) => value !== undefined && value !== '');
  return [step, ...told.map(([name, value]) => `${name} ${short(value)}`)].join(', ');
}
