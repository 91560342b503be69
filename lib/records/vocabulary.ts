import * as z from 'zod';

const all =
  <Value extends z.ZodType>(value: () => Value) =>
  <const Name extends string>(...names: readonly Name[]) =>
    Object.fromEntries(names.map((name) => [name, value()])) as Record<Name, Value>;

/** Members of a record that are texts, texts that need not be there, lists of texts, counts, numbers, and numbers that may be null. */
export const texts = all(() => z.string());
export const maybe = all(() => z.string().optional());
export const textLists = all(() => z.array(z.string()));
export const ints = all(() => z.int());
export const numbers = all(() => z.number());
export const nullables = all(() => z.number().nullable());

/** Verdicts of a conformance result: these words, everywhere. */
export const Verdict = z.enum([
  'pass',
  'fail',
  'warn',
  'info',
  'not-applicable',
  'not-testable',
  'blocked',
  'inconclusive',
  'error',
]);
export type Verdict = z.infer<typeof Verdict>;

export const CellVerdict = z.enum(['met', 'violated', 'invalid']);
export type CellVerdict = z.infer<typeof CellVerdict>;

export const Conformance = z.enum(['conformant', 'non-conformant', 'inconclusive', 'not-tested']);
export type Conformance = z.infer<typeof Conformance>;

export const Level = z.enum(['stated', 'implied', 'gap', 'advice']);

/** What the client may do: GET only; also write to what this run created; also ANC on the pool and bulk. */
export const Mode = z.enum(['read-only', 'own-data', 'full']);
export type Mode = z.infer<typeof Mode>;

/** How much is asked, and how long a cell of a load lasts: 10 s, a minute, or one pass over the population. */
export const Depth = z.enum(['quick', 'normal', 'deep']);
export type Depth = z.infer<typeof Depth>;

/** How an answer differs from what was expected; part of every cause's name. */
export const DifferenceKind = z.enum(['refused', 'accepted', 'no-effect', 'records', 'missing', 'value']);
export type DifferenceKind = z.infer<typeof DifferenceKind>;

/** Kind of a body, by its begin. */
export const BodyKind = z.enum(['empty', 'JSON', 'HTML', 'XML', 'text']);

/** The abort rule that ends a cell whose operation is refused at any rate. */
export const SAME_REFUSAL = 'same-refusal';

/** k6's exit code after it was stopped in order. */
export const K6_STOPPED = 105;

/** Rule that ends a cell once it has shown that its rate does not hold. */
export const DID_NOT_HOLD = 'did-not-hold';
