import { ancIterations, ancOptions } from './k6/anc.ts';

/** Does apply policy hold its rate? Parameters: lib/wire/scenario.ts. */
export const options = ancOptions;

const iterations = ancIterations('apply-policy');

export default function applyPolicy(): void {
  iterations.measured();
}

/** The ramp-up to the rate, where one is asked for. */
export function ramp(): void {
  iterations.ramp();
}

export { waitForStart as setup } from './k6/anc.ts';
