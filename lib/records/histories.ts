import { createHash } from 'node:crypto';
import * as z from 'zod';
import { OPERATOR_NAMES } from '../contract/list.ts';
import { texts } from './vocabulary.ts';

/** Most writes, and most entries of a list, that one line holds. */
const MOST_WRITES = 200;
export const MOST_ENTRIES = 200;

const LONGEST_TEXT = 2000;
/** Room for what stands in place of the rest of a text. */
const MARK = 60;
const CUT_TEXT = /^(.*)… (\d+) characters, sha256 [0-9a-f]{16}$/s;

/** A text that is short and still differs from whatever it differed from. */
export function cutText(text: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return `${text.slice(0, LONGEST_TEXT - MARK)}… ${text.length} characters, sha256 ${digest}`;
}

/** What is left of a text that was cut, and how many characters it had; undefined for any other. */
export function cutFrom(text: string): { readonly beginning: string; readonly length: number } | undefined {
  const [, beginning, length] = CUT_TEXT.exec(text) ?? [];
  return beginning === undefined ? undefined : { beginning, length: Number(length) };
}

const Members = z.record(z.string(), z.unknown());
const Form = z.enum(['json', 'xml']);

const KeptWrite = z.object({
  /** To learn is no write: a read told what the target chose by itself, or what a record of somebody else holds. */
  kind: z.enum(['create', 'update', 'delete', 'learn']),
  ...texts('family', 'id'),
  /** Members as they were sent, without the id; of a delete: none. */
  sent: Members,
  form: Form,
  bulk: z.literal(true).optional(),
  /** What a write of unknown end did is not known, so that it constrains nothing. */
  end: z.enum(['done', 'refused', 'unknown']),
});
export type KeptWrite = z.infer<typeof KeptWrite>;

const KeptRead = z.object({
  /** By the id, in its family or in a view of it, or by the name of the record with the id. */
  question: z.object({ window: z.enum(['read', 'view', 'name']), family: z.string(), id: z.string(), form: Form }),
  /** No record: the answer holds none. */
  shown: z.object({ status: z.int(), record: Members.optional(), form: Form }),
});
export type KeptRead = z.infer<typeof KeptRead>;

const KeptList = z.object({
  /** Absent: a page of the target's own size, and pages by the links. */
  question: z.object({
    window: z.literal('list'),
    family: z.string(),
    filters: z
      .array(z.object({ field: z.string(), operator: z.enum(OPERATOR_NAMES), value: z.string() }))
      .max(50)
      .readonly(),
    join: z.enum(['and', 'or']).optional(),
    sort: z.object({ field: z.string(), descending: z.boolean() }).optional(),
    size: z.int().optional(),
    paging: z.enum(['link', 'number']).optional(),
  }),
  shown: z.object({
    pages: z
      .array(z.array(z.object({ id: z.string(), record: Members, href: z.string().optional() })).readonly())
      .refine((pages) => pages.flat().length <= MOST_ENTRIES, `at most ${MOST_ENTRIES} entries`)
      .readonly(),
    /** At the last page, at an answer that is no list (with its status), in a circle, or before the list did. */
    end: z.enum(['whole', 'refused', 'loop', 'length']),
    status: z.int().optional(),
    /** Records that there are, as the first page says. */
    total: z.number().optional(),
  }),
});
export type KeptList = z.infer<typeof KeptList>;

/** What a judgement rests on: the writes that went before, what was asked and shown, and what was known of the target. */
export const Grounds = z.object({
  facts: z.object({
    caseRule: z.enum(['sensitive', 'insensitive']).optional(),
    largestPage: z.int().optional(),
    shownOff: z.array(z.string()).optional(),
    /** Family and id of the record that was written last. */
    latest: z.string().optional(),
    /** What the names of the run's own records begin with, and the member that holds them; absent: nobody can tell whose they are. */
    own: z.object({ member: z.string(), prefix: z.string().min(1) }).optional(),
  }),
  /** In the order of the answers; of the records that the observation is about. */
  writes: z.array(KeptWrite).max(MOST_WRITES),
  observation: z.union([KeptRead, KeptList]),
});
export type Grounds = z.infer<typeof Grounds>;

/** `histories.ndjson`: the grounds of one failed result, from which it can be judged again without the target. */
export const HistoryRecord = Grounds.extend({
  ...texts('checkId', 'family'),
  variant: z.string().optional(),
  /** Something in it was redacted, so that it proves nothing any more. */
  redacted: z.literal(true).optional(),
});
export type HistoryRecord = z.infer<typeof HistoryRecord>;
