import type { decided } from '../model/membership.ts';
import type { Observation } from '../model/observation.ts';
import type { Step } from '../steps/step.ts';

/** What a look or a write can be about. */
export type Topic = 'filters' | 'joins' | 'sorts' | 'pages' | 'reads' | 'create' | 'update' | 'delete' | 'bulk' | 'anc';

/** How often something of each topic was done: a topic without a number was not looked at. */
export type Tally = Map<Topic, number>;

const add = (tally: Tally, topic: Topic): void => void tally.set(topic, (tally.get(topic) ?? 0) + 1);

/** Counts a look that was compared with what it has to show; a list counts if it tells of known records (`told`, as `decided` gives it), a join if its filters differ about one. */
export function tallyLook(tally: Tally, { question }: Observation, told?: ReturnType<typeof decided>): void {
  if (question.window !== 'list') {
    add(tally, question.window === 'endpoints' ? 'pages' : 'reads');
    return;
  }
  if (told === undefined || told.shown + told.absent === 0) return;
  add(tally, 'pages');
  if (question.filters.length === 1) add(tally, 'filters');
  if (told.isParted) add(tally, 'joins');
  if (question.sort !== undefined) add(tally, 'sorts');
}

export function tallyWrite(tally: Tally, { step }: Step): void {
  if (step === 'create' || step === 'update' || step === 'delete' || step === 'bulk') add(tally, step);
  if (step === 'apply' || step === 'clear') add(tally, 'anc');
}
