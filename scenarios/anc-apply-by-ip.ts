import { ancIterations } from './k6/anc.ts';

const { measured, ramp } = ancIterations('apply-by-ip');

export { ancOptions as options } from './k6/anc.ts';
export { measured as default, ramp };
