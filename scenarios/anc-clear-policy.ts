import { ancIterations, ancOptions } from './k6/anc.ts';

/** Does clear policy hold its rate? Parameters: lib/wire/scenario.ts. */
export const options = ancOptions;

const iterations = ancIterations('clear-policy');

export default function clearPolicy(): void {
  iterations.measured();
}

/** The ramp-up to the rate, where one is asked for. */
export function ramp(): void {
  iterations.ramp();
}

export { waitForStart as setup } from './k6/anc.ts';
