import type { Difference } from '../../conformance/model/difference.ts';
import { bookOf, type Fields, keyOf, type Write } from '../../conformance/model/history.ts';
import { judge } from '../../conformance/model/judge.ts';
import type { ListFacts } from '../../conformance/model/list.ts';
import type {
  ListQuestion,
  Observation,
  ReadQuestion,
  ShownEntry,
  ShownList,
} from '../../conformance/model/observation.ts';
import { FAMILIES } from '../../lib/contract/families.ts';

/** What the oracle says of what is shown after a history; nothing where nothing contradicts it. */
type Row = readonly [rule: string, history: readonly Write[], seen: Observation, expected?: string];

/** Rows for a table of tests, from those that rest on each sentence: rule, sentence, history, what is seen, what is said of it. */
export const rowsOf = (bySentence: Readonly<Record<string, readonly Row[]>>) =>
  Object.entries(bySentence).flatMap(([sentence, rows]) =>
    rows.map(([rule, history, seen, expected]) => [rule, sentence, history, seen, expected] as const),
  );

export const PAYLOAD = '"Special paths": the create payload is the set of body fields';
export const SERVICE = '"What the service does": create, read, update, delete and list';
export const TYPES = '"Resources and their fields": types';
export const NOT_SHOWN = 'not shown: response bodies';
export const NOT_STATED = 'not stated';

type Rest = Partial<Pick<Write, 'form' | 'end' | 'bulk' | 'family' | 'id'>>;

const write =
  (kind: Write['kind']) =>
  (sent: Fields = {}, rest: Rest = {}): Write => ({
    ...{ kind, family: 'sgt', id: 'a', sent, form: 'json', end: 'done' },
    ...rest,
  });

/** Writes to the security group `a`, done and sent in JSON unless the second argument says otherwise. */
export const create = write('create');
export const update = write('update');
export const remove = write('delete');
export const learn = write('learn');

/** What a read of the record `a` showed: undefined for an answer without a record. */
export const read = (
  record: Fields | undefined,
  question: Partial<ReadQuestion> = {},
  answer: { readonly status?: number; readonly form?: 'json' | 'xml' } = {},
): Observation => ({
  question: { ...{ window: 'read', family: 'sgt', id: 'a', form: answer.form ?? 'json' }, ...question },
  shown: { ...{ status: record === undefined ? 404 : 200, record, form: 'json' }, ...answer },
});

export const xml = { form: 'xml' } as const;

/** Families of which the members are an object, a list, and an address. */
export const portal = { family: 'byodportal' } as const;
export const mapping = { family: 'sgtvnvlan' } as const;
export const endpoint = { family: 'ancendpoint' } as const;

/** A security group as it is made in most histories, and an update that renames it. */
export const made = create({ name: 'beta', description: 'one', value: 7 });
export const renamed = update({ name: 'x' });

/** What a read of the record `a` showed of its members. */
export const seeing = (
  record: Fields,
  ...more: [question?: Partial<ReadQuestion>, answer?: { readonly form?: 'xml' }]
) => read({ id: 'a', ...record }, ...more);

/** Creates of a portal with settings, and of a mapping with items; what reads of them showed. */
export const setting = (settings: unknown, rest: Rest = {}) => create({ settings }, { ...portal, ...rest });
export const listing = (...names: readonly string[]) =>
  create({ virtualnetworklist: names.map((name) => ({ name })) }, mapping);
export const showsSettings = (settings: unknown, answer = {}) => seeing({ settings }, portal, answer);
export const showsItems = (virtualnetworklist: unknown, answer = {}) => seeing({ virtualnetworklist }, mapping, answer);

type Entry = string | ShownEntry;

/** What a list showed: pages of ids or entries; or a word for each page, with a letter for each id. */
export const list = (
  question: Partial<ListQuestion>,
  pages: readonly (readonly Entry[])[] | string,
  answer: Partial<ShownList> = {},
): Observation => ({
  question: { ...{ window: 'list', family: 'sgt', filters: [] }, ...question },
  shown: {
    pages: (typeof pages === 'string' ? pages.split(' ') : pages).map((entries) =>
      [...entries].map((entry) => (typeof entry === 'string' ? { id: entry, record: { id: entry } } : entry)),
    ),
    end: 'whole',
    ...answer,
  },
});

export const filter = (triplet: string) => {
  const [field = '', operator = '', ...value] = triplet.split('.');
  return { field, operator: operator as ListQuestion['filters'][number]['operator'], value: value.join('.') };
};

export const by = (...triplets: readonly string[]): Pick<ListQuestion, 'filters'> => ({
  filters: triplets.map(filter),
});

/** What the oracle says of what is shown after a history. */
export function judged(
  history: readonly Write[],
  seen: Observation,
  facts: Partial<ListFacts> = {},
): Difference | undefined {
  const last = history.at(-1);
  const latest = last === undefined ? undefined : keyOf(last.family, last.id);
  const all = { table: FAMILIES, caseRule: undefined, largestPage: undefined, latest, writes: history, ...facts };
  return judge(bookOf(history, FAMILIES), seen, all);
}

/** The same as a text: requirement, kind and subject. */
export function told(history: readonly Write[], seen: Observation, facts: Partial<ListFacts> = {}): string | undefined {
  const found = judged(history, seen, facts);
  return found && `${found.requirement} ${found.about.kind} ${found.about.subject}${found.isLost ? ', lost' : ''}`;
}

/** A difference of security groups that is about this. */
export const aDifference = (about: Difference['about'], requirement = 'PAY-U'): Difference => ({
  ...{ about, requirement, family: 'sgt', expected: '', observed: '' },
});
