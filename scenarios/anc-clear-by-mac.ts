import { ancIterations } from './k6/anc.ts';

const { measured, ramp } = ancIterations('clear-by-mac');

export { ancOptions as options } from './k6/anc.ts';
export { measured as default, ramp };
