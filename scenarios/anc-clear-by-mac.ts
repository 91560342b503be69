import { ancIterations } from './k6/anc.ts';

/** Does clear by mac hold its rate? Parameters: lib/wire/scenario.ts. `ramp`: the ramp-up to the rate, where one is asked for. */
const { measured, ramp } = ancIterations('clear-by-mac');

export { ancOptions as options, waitForStart as setup } from './k6/anc.ts';
export { measured as default, ramp };
