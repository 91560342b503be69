import type { Cause, Tone } from '../../lib/records/answer.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import type { CellProgress } from '../../lib/records/load/parts.ts';
import type { Verdict } from '../../lib/records/vocabulary.ts';

/** A cell that has ended, with its verdict in a word, and why it did not pass; empty if it did. */
export interface EndedCell {
  readonly name: string;
  readonly word: string;
  readonly reason: string;
  readonly report: CellReport;
}

export interface LiveCell {
  readonly name: string;
  readonly targetPerSecond: number;
  readonly connections: number;
  /** Planned, with ramp-up and warm-up. */
  readonly seconds: number;
  readonly course: readonly CellProgress[];
}

export interface LiveChecks {
  readonly done: number;
  readonly planned: number;
  /** Of the whole work, from 0 to 1. */
  readonly share: number;
  readonly counts: Partial<Readonly<Record<Verdict, number>>>;
  /** The check that each family is at, with its sequences of steps where it does some. */
  readonly inWork: readonly { readonly family: string; readonly check: string; readonly sequences?: string }[];
  readonly causes: readonly Pick<Cause, 'id' | 'title' | 'families' | 'results'>[];
}

/** What is known of a run while it goes on. Every text is inert and without secrets. */
export interface LiveRun {
  readonly command: string;
  readonly runId: string;
  readonly target: string;
  /** What is being done, and the time that is left, in words. */
  readonly doing: string;
  readonly left: string;
  readonly checks?: LiveChecks | undefined;
  readonly cell?: LiveCell | undefined;
  /** Oldest first. */
  readonly cells: readonly EndedCell[];
  readonly told: readonly string[];
  readonly end?: { readonly tone: Tone; readonly sentence: string; readonly code: number; readonly page: string };
}
