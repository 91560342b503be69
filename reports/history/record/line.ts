import * as z from 'zod';
import { CellVerdict, Mode } from '../../../lib/records/vocabulary.ts';

/** Version of the lines that this program writes. Lines of all earlier versions stay readable. */
export const HISTORY_VERSION = 1;

/** Bounds of what a line may hold: it may come from anywhere. */
const Name = z.string().max(300);
const Figure = z.number().nullable();

/** One load cell, warm-up left out; latencies in milliseconds, null if too many arrivals were unserved. */
export const HistoryCell = z.object({
  profile: Name,
  operation: Name,
  /** What has to be alike for two nights to be comparable: rate, depth, duration, connections, and what was asked beside them. */
  rate: z.number(),
  depth: Name,
  seconds: z.number(),
  connections: z.int(),
  /** Their number followed from the latency. */
  sized: z.literal(true).optional(),
  /** Further circumstances, such as new connections; absent if there were none. */
  circumstances: Name.optional(),
  verdict: CellVerdict,
  achieved: z.number(),
  /** Service time. */
  p50: Figure,
  p99: Figure,
  /** Response time. */
  responseP99: Figure,
});
export type HistoryCell = z.infer<typeof HistoryCell>;

/** One line of `history.ndjson`: the outcome of a night. */
export const HistoryLine = z.object({
  v: z.literal(HISTORY_VERSION),
  run: Name,
  at: z.iso.datetime(),
  seconds: z.number(),
  command: Name,
  mode: Mode,
  target: Name,
  targetVersion: Name.optional(),
  folder: Name.optional(),
  exit: z.int(),
  reasons: z.array(Name).max(5),
  said: Name,
  /** False if the run was cut. */
  complete: z.boolean(),
  tool: Name,
  /** Digests: of the specification's tables, of what was asked for, of the list of checks. */
  tables: Name,
  plan: Name,
  catalogue: Name,
  /** Set of requirements that it was judged by; absent in older lines. */
  requirements: Name.optional(),
  k6: Name.optional(),
  node: Name.optional(),
  families: z.array(Name).max(50),
  checks: z.record(Name, z.object({ v: z.array(Name).max(500).optional(), r: z.array(z.string().max(500)).max(50) })),
  causes: z
    .array(
      z.object({
        ...{ id: Name, title: Name, results: z.int() },
        expected: z.literal(true).optional(),
        checks: z.array(Name).max(200),
      }),
    )
    .max(200),
  dialect: z.record(Name, Name).optional(),
  /** Failures that the baseline expects, by owner and last day. */
  expected: z
    .array(z.object({ owner: Name, expires: Name, count: z.int() }))
    .max(100)
    .optional(),
  cells: z.array(HistoryCell).max(200),
  capacity: z.array(z.object({ profile: Name, operation: Name, verdict: CellVerdict, headroom: Figure })).max(50),
});
export type HistoryLine = z.infer<typeof HistoryLine>;
