import { ancIterations } from './k6/anc.ts';

/** Does clear policy hold its rate? Parameters: lib/wire/scenario.ts. `ramp`: the ramp-up to the rate, where one is asked for. */
const { measured, ramp } = ancIterations('clear-policy');

export { ancOptions as options, waitForStart as setup } from './k6/anc.ts';
export { measured as default, ramp };
