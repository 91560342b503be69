import { ANC_QUESTIONS } from './anc.ts';
import { LIST_QUESTIONS } from './lists.ts';
import type { Question } from './question.ts';
import { WRITE_QUESTIONS } from './writes.ts';

/** Every question of the probe, in the order they are asked; ids are permanent. */
export const DIALECT_QUESTIONS: readonly Question[] = [...LIST_QUESTIONS, ...WRITE_QUESTIONS, ...ANC_QUESTIONS];
