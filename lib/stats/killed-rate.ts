import { wilson } from './wilson.ts';

/** Killed of a number of defects, with the 95 % Wilson interval of the share, as fractions. */
export function killedRate(killed: number, of: number) {
  const { low, high } = wilson(killed, of);
  return { killed, of, low, high };
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** `41 of 53 (77.4 %; 95 % interval 64.5 % to 86.6 %)`. */
export function rateText({ killed, of, low, high }: ReturnType<typeof killedRate>): string {
  const share = of === 0 ? 0 : killed / of;
  return `${killed} of ${of} (${percent(share)}; 95 % interval ${percent(low)} to ${percent(high)})`;
}
