import type { Family } from '../../../lib/contract/types.ts';
import { isOnlyRead, REMOVED } from '../../driver/session.ts';
import { nameFilter } from '../../kit/fields.ts';
import { type Criterion, PLAIN, type Step } from '../../steps/step.ts';
import { look, read, together } from '../make.ts';

export interface Watched {
  readonly step: Step;
  /** Number of the drawn step that it belongs to. */
  readonly of: number;
}

const list = (on: 'own' | 'view', about: string, criteria: readonly Criterion[]): Step =>
  look({ window: 'list', on, about, query: { criteria, paging: 'link', size: 100 }, carried: PLAIN });

/** The list that finds a record under its name, or under one that it had. */
function named(family: Family, about: string, part: 'whole' | 'former'): readonly Step[] {
  const field = nameFilter(family);
  return field === undefined ? [] : [list('own', about, [{ field, operator: 'EQ', part }])];
}

/** Records that a step writes to, by their labels. */
function written(step: Step): readonly string[] {
  switch (step.step) {
    case 'create':
      return [step.as];
    case 'update':
    case 'race':
    case 'wrong':
      return [step.who];
    case 'delete':
      return [REMOVED];
    case 'bulk':
      return step.action === 'delete' ? [REMOVED] : step.who;
    case 'together':
      return step.steps.flatMap(written);
    default:
      return [];
  }
}

const hasName = (step: Step): boolean =>
  step.step === 'together' ? step.steps.some(hasName) : step.step === 'update' && step.name !== undefined;

/** What is looked at after a step: all at one time, so that each look takes another connection than the write; `at` says which goes first. */
function after(family: Family, step: Step, at: number): readonly Step[] {
  if (step.step === 'apply' || step.step === 'clear') return [look({ window: 'endpoints' })];
  const who = written(step).slice(0, 4);
  const [first] = who;
  if (first === undefined) return [];
  const looks = [
    ...who.map((each) => read(each)),
    ...(first === REMOVED ? [] : named(family, first, 'whole')),
    ...(hasName(step) ? named(family, first, 'former') : []),
    // A neighbor stays as it is; a request that may be refused changes nothing at all.
    read(`#${at}`),
    ...(step.step === 'wrong' ? [read('#0'), read('#1'), list('own', first, [])] : []),
  ];
  const turn = at % looks.length;
  return [together(...looks.slice(turn), ...looks.slice(0, turn))];
}

/** Looks at everything that a sequence made, or at what others have there. */
function everything(family: Family, steps: readonly Step[]): readonly Step[] {
  const own = [...new Set(steps.flatMap(written))].filter((who) => who !== REMOVED && !who.startsWith('#'));
  const who = isOnlyRead(family) ? ['#0', '#1', '#2', '#3', '#4', '#5'] : own;
  return [
    ...(who.length === 0 ? [] : [together(...who.map((each) => read(each)))]),
    list('own', '#0', []),
    list('view', '#0', []),
  ];
}

/** The steps as they are sent: each write with looks after it, and looks at everything at the end. */
export function watched(family: Family, steps: readonly Step[], isFull: boolean): readonly Watched[] {
  const of = steps.length - 1;
  return [
    ...steps.flatMap((step, at): readonly Watched[] => {
      if (step.step === 'bulk' && !isFull) return [];
      return [step, ...after(family, step, at)].map((each) => ({ step: each, of: at }));
    }),
    ...everything(family, steps).map((step) => ({ step, of })),
  ];
}
