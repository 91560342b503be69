import type { Exchange } from '../../lib/client/types.ts';
import { signsIn } from '../kit/text-words.ts';
import type { Step } from '../steps/step.ts';
import type { Bounds } from './bounds.ts';

/** What the clauses of a sequence are about. */
export interface About {
  /** Label of the record that the difference is about. */
  readonly main: string;
  /** The step at fault: what it does is said elsewhere, and how it does so is not. */
  readonly blamed: Step | undefined;
  /** Member that the difference is about: its values are said elsewhere. */
  readonly member: string | undefined;
  /** Filters of the list that shows the difference, as it was asked for; undefined if its refusal is told by its request. */
  readonly filters: number | undefined;
  /** Field and operand of the one filter that shows the difference. */
  readonly asked?: { readonly field: string; readonly operand: string } | undefined;
  /** What the difference is about: what is said already. */
  readonly subject: string;
  /** Labels that other steps write to, or take a name from. */
  readonly named: ReadonlySet<string>;
  readonly bounds: Bounds;
}

export const OPERAND = 'the operand';

/** True if the operand of the filter has the signs of a value: then it is the operand that the filter takes for something else. */
export const isAskedFor = ({ asked }: About, field: string, value: unknown): boolean => {
  const signs = typeof value === 'string' && asked?.field === field ? signsIn(value) : [];
  return signs.length > 0 && signs.every((sign) => asked?.operand.includes(sign));
};

/** What a list with one filter was asked for, if the difference is about that. */
export function askedBy(subject: string, { request }: Exchange): About['asked'] {
  const [, field] = /^filter (\w+)\./.exec(subject) ?? [];
  const sent = new URLSearchParams(request.path.split('?')[1]).get('filter') ?? '';
  return field === undefined ? undefined : { field, operand: sent.split('.').slice(2).join('.') };
}
