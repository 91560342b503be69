import * as z from 'zod';
import { CellVerdict, Depth, ints, nullables, numbers, texts } from '../vocabulary.ts';
import { CellFailure, Failure, ReadBack, Series, Sizing } from './parts.ts';

/** Service and response time of an arrival that never got a connection. */
export const UNSERVED = 0xffff_ffff;

/** Outcome of a transaction: 0 verified by its status, 1 dropped before it started, above that a failure kind of the cell. */
export const OUTCOME = { success: 0, dropped: 1, firstFailure: 2 } as const;

/** Columns of a samples file, in order. Those in microseconds but `dueUs`, and `seq`, are `UNSERVED` for a dropped arrival. */
const COLUMNS = {
  /** Intended start, since the intended start of the first arrival. */
  dueUs: Float64Array,
  /** Request sent to last byte. */
  serviceUs: Uint32Array,
  /** Intended start to last byte. */
  responseUs: Uint32Array,
  /** Intended start to actual start (lag of the generator). */
  lagUs: Uint32Array,
  /** Number of the arrival among the started ones (which endpoint it was for). */
  seq: Uint32Array,
  outcome: Uint8Array,
} as const;
type Name = keyof typeof COLUMNS;
const NAMES = Object.keys(COLUMNS) as readonly Name[];

/** One row per scheduled arrival of a cell, as columns. */
export type Samples = { readonly [Key in Name]: InstanceType<(typeof COLUMNS)[Key]> };

const MAGIC = 0x45525331; // "ERS1"
/** Bytes of the head of a samples file: magic and count. */
export const SAMPLES_HEAD = 16;
const ROW_BYTES = NAMES.reduce((sum, name) => sum + COLUMNS[name].BYTES_PER_ELEMENT, 0);

const samplesOf = (column: (type: (typeof COLUMNS)[Name]) => Samples[Name]) =>
  Object.fromEntries(NAMES.map((name) => [name, column(COLUMNS[name])])) as unknown as Samples;

export const emptySamples = (count: number): Samples => samplesOf((Type) => new Type(count));

/** File form: magic, count, then the columns one after the other, little endian. */
export function encodeSamples(samples: Samples): Uint8Array {
  const count = samples.dueUs.length;
  const bytes = new Uint8Array(SAMPLES_HEAD + count * ROW_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC);
  view.setUint32(8, count, true);
  let at = SAMPLES_HEAD;
  for (const { buffer, byteOffset, byteLength } of NAMES.map((name) => samples[name])) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return bytes;
}

/** Number of rows of a samples file, from its head and its size. Throws on a foreign or a cut file. */
export function samplesCount(head: Uint8Array, size: number): number {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.byteLength < SAMPLES_HEAD || view.getUint32(0) !== MAGIC) throw new Error('not a samples file');
  const count = view.getUint32(8, true);
  if (size !== SAMPLES_HEAD + count * ROW_BYTES) throw new Error('samples file is cut');
  return count;
}

/** Reads `encodeSamples`; the columns are views of the bytes where those lie as numbers need them. Throws on a foreign or a cut file. */
export function decodeSamples(bytes: Uint8Array): Samples {
  const count = samplesCount(bytes, bytes.byteLength);
  const { buffer, byteOffset } = bytes.byteOffset % Float64Array.BYTES_PER_ELEMENT === 0 ? bytes : bytes.slice();
  let at = byteOffset + SAMPLES_HEAD;
  return samplesOf((Type) => {
    const column = new Type(buffer as ArrayBuffer, at, count);
    at += column.byteLength;
    return column;
  });
}

/** Part of a path: no separator, and never the folder itself or the one above. */
const PathPart = z
  .string()
  .max(200)
  .regex(/^(?!\.{1,2}$)[\w.-]+$/);

/** Hours of the longest cell many times over, and buckets of it: a folder from elsewhere may say anything. */
const MOST_SECONDS = 1e6;
const LEAST_BUCKET_S = 0.01;
const MOST_BUCKETS = 20_000;

/** `cells/<id>/facts.json`: what was collected of one try of one cell; the samples lie beside it. */
export const CellFacts = z.object({
  id: PathPart,
  ...texts('profile', 'operation'),
  depth: Depth,
  /** 1, or 2 when the first try was invalid. */
  attempt: z.int().min(1).max(2),
  startedAt: z.iso.datetime(),
  plan: z
    .object({
      targetPerSecond: z.number().max(MOST_SECONDS),
      /** Rates one after the other, warm-up included, where there was more than one. */
      stretches: z.array(z.object({ seconds: z.number(), ratePerSecond: z.number() })).optional(),
      sessions: z.int(),
      /** Seconds of arrivals in all, the warm-up included. */
      durationSeconds: z.number().max(MOST_SECONDS),
      /** Seconds at the start that no figure includes. */
      warmupSeconds: z.number(),
      bucketSeconds: z.number().min(LEAST_BUCKET_S),
      ...ints('connections', 'timeoutMs', 'poolSize'),
      /** Seconds until the same endpoint is used again. */
      reuseSeconds: z.number(),
      /** Lag of the generator that is allowed, where it was set. */
      lagLimitMs: z.number().optional(),
      slo: z.array(z.string()).optional(),
      options: z.record(z.string(), z.unknown()).optional(),
    })
    .refine(({ durationSeconds, bucketSeconds }) => durationSeconds / bucketSeconds <= MOST_BUCKETS),
  /** The unmeasured ramp-up to the rate before the warm-up, if any: the most arrivals that were planned, and their endings. */
  ramp: z.object({ seconds: z.number(), ...ints('arrivals', 'succeeded', 'failed', 'dropped') }).optional(),
  /** Counted from the stream, warm-up included. */
  counts: z.object(ints('scheduled', 'started', 'dropped', 'recorded', 'exceptions')),
  /** Index is `outcome - 2` of the samples. */
  failures: z.array(Failure),
  generator: z.object({
    ...texts('k6Version', 'k6Sha256', 'bundleSha256'),
    exitCode: z.int().nullable(),
    signal: z.string().nullable(),
    /** The stream ended with a whole line and k6 said it was done. */
    streamComplete: z.boolean(),
    /** Share of one core, mean and highest second; null if the system does not show it. */
    ...nullables('k6CpuMean', 'k6CpuMax'),
    ...numbers('collectorCpuMean', 'eventLoopDelayP99Ms'),
    /** Processors that may be used, by affinity and by the quota of the container; not always a whole number. */
    cores: z.number(),
    clockStepMs: z.number(),
    /** Memory swapped in or out during the cell, kilobytes, and pages of the whole system; absent if the system does not show it. */
    swap: z.object({ k6Kb: z.number(), collectorKb: z.number(), systemPages: z.int().nullable() }).optional(),
    /** Set if pods of a cluster made the load: how many, the largest share of time that a CPU limit held one back, and their programs. */
    runners: z.object({ count: z.int(), throttled: z.number().nullable(), programs: z.int().nullable() }).optional(),
    warnings: z.array(z.string()),
  }),
  readBack: ReadBack,
  /** Set if several generators carried the arrivals together: how many, and how far apart they began. */
  segments: z.object({ of: z.int(), startSpreadMs: z.number() }).optional(),
  fault: z.string().optional(),
  /** How the number of connections came about; absent in records of versions that had a fixed one. */
  sizing: Sizing.optional(),
  /** An error that the target answers although the operation is carried out, as looks before the load showed. */
  doneDespite: z.object({ status: z.int(), says: z.string() }).optional(),
  /** Why the cell was not run: what it needs is missing on the target, as the probe before the load showed. */
  notRun: z.string().optional(),
  /** Status and words of the refusal that the probe met. */
  refusal: z.string().optional(),
  /** How it shows that somebody else wrote to the pool too; absent if nothing speaks for it, or if nobody had to look. */
  sharedPool: z.string().optional(),
  stopped: z.object({ rule: z.string(), text: z.string(), says: z.string().optional() }).optional(),
  series: z.array(Series).optional(),
  step: z
    .object({
      number: z.int(),
      purpose: z.enum(['search', 'confirm', 'recovery']),
      /** Highest rate that the pool has endpoints for; absent if something else bounds the search. */
      poolAllowsPerSecond: z.number().optional(),
    })
    .optional(),
});
export type CellFacts = z.infer<typeof CellFacts>;

/** Percentiles of one latency, milliseconds. `null`: more arrivals were unserved than the percentile leaves room for. */
export const Latency = z.object({
  ...ints('count', 'unserved'),
  minMs: z.number().nullable(),
  /** Of the served ones, whatever else was not served. */
  meanServedMs: z.number().nullable(),
  ...nullables('p50Ms', 'p90Ms', 'p95Ms', 'p99Ms', 'p999Ms'),
  /** Null if any arrival was unserved. */
  maxMs: z.number().nullable(),
  maxServedMs: z.number().nullable().optional(),
  /** 95 % interval by percentile name, from blocks of time longer than neighbors are alike. */
  intervals: z.record(z.string(), z.tuple([z.number().nullable(), z.number().nullable()])),
  /** Percentiles with fewer than 100 samples above them. */
  fewSamples: z.array(z.string()),
  /** Percentiles without an interval: arrivals are alike for so long that the window holds fewer than ten independent stretches. */
  windowTooShort: z.array(z.string()).optional(),
  /** HDR histogram in microseconds, V2 compressed, base64; min and max above are exact, the blob's are not. */
  hdr: z.string(),
});
export type Latency = z.infer<typeof Latency>;

/** A time in which the target answered nothing although transactions waited. */
export const Stall = z.object({ startSeconds: z.number(), ms: z.number() });
export type Stall = z.infer<typeof Stall>;

export const Bucket = z.object({
  startSeconds: z.number(),
  ...ints('scheduled', 'started', 'dropped', 'succeeded', 'failed'),
  ...numbers('offeredPerSecond', 'achievedPerSecond', 'inFlight'),
  ...nullables('responseP50Ms', 'responseP99Ms'),
});
export type Bucket = z.infer<typeof Bucket>;

/** One rule that the verdict of a cell rests on, with what was measured and what was allowed. */
export const CellRule = z.object({
  ...texts('id', 'text', 'measured', 'limit'),
  /** Null if it could not be measured on that system: then it decides nothing. */
  holds: z.boolean().nullable(),
  effect: z.enum(['invalid', 'violated']),
});
export type CellRule = z.infer<typeof CellRule>;

/** A cell as judged from its facts and samples; `load.cells[]` of report.json. */
export const CellReport = z.object({
  ...texts('id', 'profile', 'operation'),
  verdict: CellVerdict,
  reasons: z.array(z.string()),
  rules: z.array(CellRule),
  attempt: z.int(),
  /** All figures below leave the warm-up out. */
  ...ints('scheduled', 'started', 'dropped', 'succeeded', 'failed'),
  failures: z.array(CellFailure),
  ...numbers('offeredPerSecond', 'achievedPerSecond'),
  serviceTime: Latency,
  responseTime: Latency,
  lag: z.object(nullables('p50Ms', 'p99Ms', 'maxMs')),
  inFlightMean: z.number(),
  /** Absent in records of versions that did not look for them. */
  stalls: z.array(Stall).optional(),
  /** Seconds from the start, warm-up included, until the median response time stays on one level; null: never; absent: not to tell. */
  settledSeconds: z.number().nullable().optional(),
  buckets: z.array(Bucket),
  facts: CellFacts,
});
export type CellReport = z.infer<typeof CellReport>;
