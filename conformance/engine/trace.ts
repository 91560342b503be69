import type { Exchange } from '../../lib/client/types.ts';
import type { Op } from '../../lib/contract/types.ts';
import type { TargetError } from '../../lib/errors.ts';
import type { PairCoverage } from '../../lib/records/conformance.ts';
import type { Grounds } from '../../lib/records/histories.ts';
import { isSuccess } from '../../lib/wire/answer.ts';
import type { Fixture } from '../kit/check.ts';

/** Writes of one check that a refusal may be laid to. */
const MOST_WRITES = 20;

export interface Trace {
  readonly label: string;
  readonly evidence: string[];
  /** Answers that an earlier check had asked for: its evidence if it has none of its own. */
  readonly shown: string[];
  readonly witness: Record<string, number>;
  readonly observations: Record<string, unknown>;
  readonly fixtures: Fixture[];
  readonly refused: Map<Op, Exchange>;
  /** The last creates, updates and deletes that were taken. */
  readonly writes: Exchange[];
  listed?: Exchange;
  pairs?: PairCoverage;
  /** What the check fails for besides. */
  variants?: readonly string[];
  grounds?: Grounds;
  /** What the connection did that ended it. */
  broke?: TargetError;
  usesAnswerLog: boolean;
}

/** Ids of the exchanges that a result rests on; one that was named again counts where it was named last. */
export function evidenceOf({ evidence, shown }: Trace): string[] {
  return [...new Set((evidence.length > 0 ? evidence : shown).toReversed())].reverse();
}

/** A trace of a check, or of whatever else the words name. */
export const emptyTrace = (...words: readonly (string | undefined)[]): Trace => ({
  label: words
    .filter((word) => word !== undefined)
    .join('/')
    .replace(/\s+/g, '-'),
  evidence: [],
  shown: [],
  witness: {},
  observations: {},
  fixtures: [],
  refused: new Map(),
  writes: [],
  usesAnswerLog: false,
});

/** Takes an exchange for one that the result rests on. */
export function addTo(trace: Trace, exchange: Exchange): void {
  trace.evidence.push(exchange.id);
  const { op } = exchange.request;
  if (!isSuccess(exchange)) trace.refused.set(op, exchange);
  else if (op === 'list') trace.listed = exchange;
  else if (op === 'create' || op === 'update' || op === 'delete') {
    trace.writes.push(exchange);
    if (trace.writes.length > MOST_WRITES) trace.writes.shift();
  }
}

/** Lets go of the answers of a check that has its result: together they may fill the memory. */
export function letGo(trace: Trace): void {
  trace.refused.clear();
  trace.writes.length = 0;
  delete trace.listed;
}
