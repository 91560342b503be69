import { option } from '../lib/option.ts';
import { list, text } from '../lib/option-values.ts';
import { FAMILIES_VARIABLE } from './load.ts';

/** Families beside the twelve. */
export const familiesOption = option(
  {
    flag: '--families <file>',
    text: 'families beside the twelve, as `ers-harness families import` writes them; repeatable',
    otherwise: 'none',
    env: FAMILIES_VARIABLE,
    path: true,
  },
  list(text()).default([]),
);
