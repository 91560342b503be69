import type { CheckContext } from '../kit/check.ts';

/** Answer of a question that could not be answered. */
export const UNKNOWN = 'unknown';

/** A record that the questions are asked about. */
export interface ProbeRecord {
  readonly id: string;
  /** Value of the family's text filter field. */
  readonly name: string;
  /** False where the record was found and not made. */
  readonly own: boolean;
}

export interface Probe {
  readonly context: CheckContext;
  readonly records: readonly ProbeRecord[];
}

/** One thing that the specification leaves open. */
export interface Question {
  readonly id: string;
  readonly question: string;
  readonly needs: 'read' | 'own-data' | 'full';
  /** `anc`: asked of the family that applies policies; else of one that shows most. */
  readonly on?: 'anc';
  /** Undefined where it cannot be told. */
  readonly ask: (probe: Probe) => Promise<unknown>;
}

/** Makes the questions of one kind. */
export const asking =
  (needs: Question['needs'], on: Pick<Question, 'on'> = {}) =>
  (id: string, question: string, ask: Question['ask']): Question => ({ id, question, needs, ...on, ask });
