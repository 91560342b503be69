import * as z from 'zod';
import { DifferenceKind, ints, Level, maybe, texts, Verdict } from './vocabulary.ts';

/** A header of a request as it is written again: a name, and a value on one line. */
const RequestHeader = z.tuple([z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/), z.string().regex(/^[^\r\n]*$/)]);

/** `exchanges.ndjson`: one request and its answer, redacted when captured. */
export const ExchangeRecord = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  ...texts('family', 'operation'),
  method: z.string().regex(/^[A-Z]+$/),
  /** Path and query, relative to the base URL. */
  path: z.string().regex(/^\S*$/),
  requestHeaders: z.array(RequestHeader),
  requestBody: z.string().optional(),
  /** 0 when no answer came. */
  status: z.int(),
  responseHeaders: z.array(z.tuple([z.string(), z.string()])),
  /** At most 64 KiB of it; `bytes` is the whole length. */
  responseBody: z.string(),
  bytes: z.int(),
  durationMs: z.number(),
  fault: z.string().optional(),
});
export type ExchangeRecord = z.infer<typeof ExchangeRecord>;

/** What a result exercised; `cell`: an operation, `field.OPERATOR` or `field.asc` / `field.dsc`, with or without its family in front. */
export const Coverage = z.object({
  kind: z.enum(['operation', 'filter', 'sort']),
  cell: z.string(),
});

/** Pairs of conditions that a family was tried under: levels of two factors that were combined in one sequence of requests. */
export const PairCoverage = z.object({
  ...ints('factors', 'levels'),
  /** Pairs that this target can be put under. */
  possible: z.int(),
  /** Those that came about, and after which what the target showed was judged. */
  exercised: z.int(),
  /** What kept the others from that, with how many it is about. */
  missing: z.record(z.string(), z.int()),
});
export type PairCoverage = z.infer<typeof PairCoverage>;

/** The second try of a result that failed. It changes no verdict. */
const Retry = z.object({
  verdict: Verdict.optional(),
  ...maybe('skipped', 'expected', 'observed', 'reason'),
  evidence: z.array(z.string()),
  durationMs: z.number(),
});

const FailureDetails = z.object({
  /** Member that is shown otherwise than it was sent, if its subject is a class of texts. */
  member: z.string().optional(),
  /** Id of the record that a list shows or leaves out, or that a read shows. */
  record: z.string().optional(),
  /** How often a list shows it: 0 for one that it leaves out. */
  times: z.int().optional(),
  /** That record was deleted, or is shown as if its last update had not been. */
  state: z.enum(['deleted', 'former']).optional(),
  /** Page of a list, from 1 on, that shows it first. */
  page: z.int().optional(),
  /** No try after the first showed it, some did and some did not, or one look after the other does and does not: it has no condition. */
  unsteady: z.enum(['once', 'not each time', 'by turns']).optional(),
});
export type FailureDetails = Readonly<z.infer<typeof FailureDetails>>;

/** `results.ndjson`: one verdict of one check on one family (and one cell of it). */
export const ConformanceResult = z.object({
  ...texts('checkId', 'family'),
  /** Distinguishes the results of one check on one family: `name.EQ`. */
  variant: z.string().optional(),
  ...texts('title', 'requirement'),
  level: Level,
  verdict: Verdict,
  reason: z.string().optional(),
  /** What would make a not-testable result testable: `a second record with another description`, `--mode own-data`. */
  needs: z.string().optional(),
  /** Result key of the check that has to hold first. */
  blockedBy: z.string().optional(),
  ...maybe('expected', 'observed'),
  /** What has to be so for the failure to show, as far as it is known: clauses behind `only if`. */
  onlyIf: z.string().optional(),
  difference: z.object({ missing: z.array(z.string()), extra: z.array(z.string()) }).optional(),
  failure: z
    .object({ kind: DifferenceKind, operation: z.string(), subject: z.string(), ...FailureDetails.shape })
    .optional(),
  /** What the check saw that gives its verdict meaning: counts by name, such as matched and unmatched. */
  witness: z.record(z.string(), z.int()).optional(),
  observations: z.record(z.string(), z.unknown()).optional(),
  /** Pairs of conditions of its family, in the result that tried them: in one of a family at most. */
  pairs: PairCoverage.optional(),
  covers: z.array(Coverage).optional(),
  evidence: z.array(z.string()),
  durationMs: z.number(),
  /** It failed, and passed when it was tried again in the same run: still a failure. */
  flaky: z.literal(true).optional(),
  retry: Retry.optional(),
});
export type ConformanceResult = z.infer<typeof ConformanceResult>;

export const UNSTEADY = {
  once: 'shown once, and not again',
  'not each time': 'shown again, but not each time',
  'by turns': 'in some answers and not in others',
} as const;

/** What a result observed, with the condition of its failure, or that it comes and goes. */
export function observedText({
  observed,
  onlyIf,
  failure,
}: Pick<ConformanceResult, 'observed' | 'onlyIf' | 'failure'>): string | undefined {
  const more = failure?.unsteady === undefined ? onlyIf && `only if ${onlyIf}` : UNSTEADY[failure.unsteady];
  return observed === undefined || more === undefined ? observed : `${observed} (${more})`;
}

/** What the check saw, in words: `matched 2, unmatched 3`; empty if it kept nothing. */
export const witnessWords = ({ witness = {} }: Pick<ConformanceResult, 'witness'>): string =>
  Object.entries(witness)
    .map(([name, number]) => `${name} ${number}`)
    .join(', ');

/** Identity of a result within a run, stable between runs. */
export const resultKey = (result: Pick<ConformanceResult, 'checkId' | 'family' | 'variant'>): string =>
  [result.checkId, result.family, ...(result.variant === undefined ? [] : [result.variant])].join('|');

/** `dialect.json`: what the target does where the specification is silent. */
export const Dialect = z.record(
  z.string(),
  z.object({ question: z.string(), answer: z.unknown(), evidence: z.array(z.string()) }),
);
export type Dialect = z.infer<typeof Dialect>;

/** Reasons of what a run did not reach: it was interrupted, or its time was over. */
export const INTERRUPTED = 'the run was interrupted';
export const OUT_OF_TIME = 'the deadline of the run had passed';

/** The answer to a question that a run did not learn: no difference of the target to any other. */
export const UNKNOWN = 'unknown';

const LARGEST_POOL = 2 ** 24;

/** `journal.ndjson`: written and synced before every write. */
export const JournalEntry = z.object({
  at: z.iso.datetime(),
  /** `intent`: unsent; `created`: its id is known; `refused`: the name was taken by a record of the run; `removed`: proven gone. */
  event: z.enum(['intent', 'created', 'refused', 'removed', 'applied', 'cleared']),
  family: z.string().max(200),
  operation: z.string().max(200),
  id: z.string().max(1024).optional(),
  name: z.string().max(100_000).optional(),
  /** MAC or IP address of an ANC write. */
  endpoint: z.string().max(200).optional(),
  /** Many ANC writes at once, those of k6 among them: the first `count` endpoints of a part of the pool, in order of use. */
  endpoints: z
    .object({
      source: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('range'), firstMac: z.string(), firstIp: z.string().optional() }),
        /** `digest`: of what the file named, in its order. */
        z.object({ kind: z.literal('file'), path: z.string(), digest: z.string().max(64).optional() }),
      ]),
      offset: z.int().min(0).max(LARGEST_POOL),
      size: z.int().min(1).max(LARGEST_POOL),
      /** Order of use: `permutation(size, seed)`. */
      seed: z.int(),
      count: z.int().min(0).max(LARGEST_POOL),
    })
    .optional(),
  runId: z.string(),
});
export type JournalEntry = z.infer<typeof JournalEntry>;
