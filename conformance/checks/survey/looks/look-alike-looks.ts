import type { Exchange } from '../../../../lib/client/types.ts';
import { hasOp } from '../../../../lib/contract/types.ts';
import { memberOf } from '../../../../lib/contract/vendor.ts';
import { defined } from '../../../../lib/defined.ts';
import { entriesOf, isSuccess, type JsonObject, recordOf } from '../../../../lib/wire/answer.ts';
import { walkList } from '../../../../lib/wire/list-walk.ts';
import type { Filter } from '../../../../lib/wire/query.ts';
import { answerText } from '../../../kit/answer.ts';
import { holds } from '../../../kit/contains-subset.ts';
import { nameMember } from '../../../kit/fields.ts';
import { requesterOf } from '../../../kit/list/list-reader.ts';
import { shown } from '../../../kit/record/record-reads.ts';
import { holdsLeaves, xmlRecords } from '../../../kit/record/xml-record.ts';
import { explaining } from '../../list/sort/collation.ts';
import type { World } from '../world/world.ts';
import { orSpelling } from './list-ask.ts';

/** A record whose texts look like values of another type, and those texts. */
export interface Alike {
  readonly id: string;
  readonly texts: JsonObject;
}

/** Something wrong that an answer shows of it. */
export interface Wrong {
  readonly requirement: string;
  readonly expected: string;
  readonly observed: string;
  readonly answer: Exchange;
}

/** What such a failure is about. */
export const LOOK_ALIKE = 'text like another type';

type Form = 'json' | 'xml';
const IN_XML = { headers: { accept: 'application/xml' } };

const showsXml = ({ context }: World): boolean => String(context.run.dialect('xml.response')).includes('xml');

/** First text that the record does not show as it was written; a list entry and a view may leave members out. */
function differing(record: JsonObject, texts: JsonObject, form: Form, mayOmit: boolean): string | undefined {
  const holding = form === 'xml' ? holdsLeaves : holds;
  return Object.keys(texts).find(
    (member) => !(mayOmit && !(member in record)) && !holding(record[member], texts[member]),
  );
}

const inXml = (answer: Exchange, id: string) =>
  xmlRecords(answer.body).find((each) => each['id'] === id) as JsonObject | undefined;

/** A read of the record by its family, or by a view of it: it shows the texts as texts. */
async function byRead(
  { scope, family }: World,
  { id, texts }: Alike,
  form: Form,
  requirement: string,
  by = family.name,
): Promise<Wrong | undefined> {
  const answer = await scope.send('read', { id, ...(form === 'xml' ? IN_XML : {}) }, by);
  const record = form === 'xml' ? inXml(answer, id) : recordOf(answer);
  const isView = by !== family.name;
  // Whether a view shows the record at all is not the question here.
  if (record === undefined)
    return isView ? undefined : { requirement, expected: `the record ${id}`, observed: answerText(answer), answer };
  const member = differing(record, texts, form, isView);
  if (member === undefined) return undefined;
  const expected = `${member} ${shown(texts[member])} as a text in a read${isView ? ` of ${by}` : ''}`;
  return { requirement: form === 'xml' ? 'CNV-XML' : requirement, expected, observed: shown(record[member]), answer };
}

/** The lists that show the records: one by a filter for each of them where filters can be joined, else one by each. */
interface Listing {
  readonly answers: readonly Exchange[];
  readonly entries: readonly JsonObject[];
  /** The entries in the order of their names; undefined where the family sorts by nothing. */
  readonly sorted: { readonly field: string; readonly answer: Exchange; readonly ids: readonly unknown[] } | undefined;
  /** The filter that finds one record, and what it finds when it stands alone. */
  readonly alone: (
    at: number,
  ) => Promise<{ readonly filter: Filter; readonly answer: Exchange; readonly isThere: boolean }>;
}

async function listed(world: World, alikes: readonly Alike[], form: Form, by: string): Promise<Listing | undefined> {
  const { scope, context, family } = world;
  const row = context.table[by];
  const fields = (row?.filters ?? []).filter((field) => memberOf(by, field) in (alikes[0]?.texts ?? {}));
  if (row === undefined || fields.length === 0) return undefined;
  const filters = alikes.map(({ texts }, at): Filter => {
    const field = fields[at % fields.length] as string;
    return { field, operator: 'EQ', value: String(texts[memberOf(by, field)]) };
  });
  const spelling = orSpelling(world);
  const sort = row.sorts.find((field) => memberOf(by, field) === (nameMember(family) ?? 'name'));
  const ask = (some: readonly Filter[]) => {
    const join = some.length > 1 ? { join: 'or' as const } : {};
    const list = { filters: some, size: 50, ...join, ...defined({ sortAsc: sort }) };
    return scope.send('list', { list, ...defined({ filterType: spelling }), ...(form === 'xml' ? IN_XML : {}) }, by);
  };
  const entriesIn = (answer: Exchange) =>
    form === 'xml' ? (xmlRecords(answer.body) as readonly JsonObject[]) : (entriesOf(answer) ?? []);
  const answers: Exchange[] = [];
  for (const some of spelling === undefined ? filters.map((filter) => [filter]) : [filters])
    answers.push(await ask(some));
  const last = spelling === undefined ? await ask([]) : (answers[0] as Exchange);
  const ids = entriesIn(last).map(({ id }) => id);
  return {
    answers,
    entries: answers.flatMap(entriesIn),
    sorted: sort === undefined ? undefined : { field: sort, answer: last, ids },
    alone: async (at) => {
      const filter = filters[at] as Filter;
      const answer = await ask([filter]);
      return { filter, answer, isThere: entriesIn(answer).some(({ id }) => id === alikes[at]?.id) };
    },
  };
}

/** True where the list without filters holds the record, or is too long to tell. */
async function isListed({ scope }: World, by: string, id: string): Promise<boolean> {
  const walk = await walkList(requesterOf(scope, by), { list: { size: 50 } });
  return walk.cut === 'length' || walk.ids.includes(id);
}

/** Lists of the family or of a view of it: each record is found by its texts, shows them, and stands in their order. */
async function byList(
  world: World,
  alikes: readonly Alike[],
  form: Form,
  by = world.family.name,
): Promise<Wrong | undefined> {
  const listing = await listed(world, alikes, form, by);
  const [answer] = listing?.answers ?? [];
  if (listing === undefined || answer === undefined) return undefined;
  const where = `in a list${by === world.family.name ? '' : ` of ${by}`}`;
  for (const [at, { id, texts }] of alikes.entries()) {
    const entry = listing.entries.find((each) => each['id'] === id);
    if (entry === undefined) {
      // Filters may be joined wrongly, or the page be too small: one of them alone shows whether it is the text.
      const { filter, answer: one, isThere } = await listing.alone(at);
      if (!isSuccess(one) || isThere || !(await isListed(world, by, id))) continue;
      return {
        requirement: 'FOP-EQ',
        expected: `${id} ${where} by ${filter.value}`,
        observed: answerText(one),
        answer: one,
      };
    }
    const member = differing(entry, texts, form, true);
    if (member === undefined) continue;
    const expected = `${member} ${shown(texts[member])} as a text ${where}`;
    return { requirement: form === 'xml' ? 'CNV-XML' : 'LIST-GET', expected, observed: shown(entry[member]), answer };
  }
  const { sorted } = listing;
  const name = nameMember(world.family) ?? 'name';
  const names = (sorted?.ids ?? []).flatMap((id) => alikes.find((alike) => alike.id === id)?.texts[name] ?? []);
  if (sorted === undefined || explaining(names.map(String), false) !== undefined) return undefined;
  const expected = `the records in the order of ${sorted.field} ${where}`;
  return { requirement: 'LST-SORT', expected, observed: `the order ${names.join(', ')}`, answer: sorted.answer };
}

/** What the family and its views show of records that were just written; undefined where all show the texts. */
export async function lookAtAlikes(
  world: World,
  groups: readonly (readonly Alike[])[],
  requirement: string,
): Promise<Wrong | undefined> {
  const { context, family } = world;
  for (const alike of groups.flat()) {
    const wrong = await byRead(world, alike, 'json', requirement);
    if (wrong !== undefined) return wrong;
  }
  const firsts = groups.flatMap((group) => group.slice(0, 1));
  const views = Object.values(context.table).filter(
    (each) => each.viewOf?.includes(family.name) === true && hasOp(each, 'read'),
  );
  const shows: readonly (() => Promise<Wrong | undefined>)[] = [
    ...(showsXml(world) ? firsts.map((alike) => () => byRead(world, alike, 'xml', requirement)) : []),
    ...groups.slice(0, 1).flatMap((group) => [
      () => byList(world, group, 'json'),
      ...(showsXml(world) ? [() => byList(world, group, 'xml')] : []),
      ...views.map(
        ({ name }) =>
          () =>
            byList(world, group, 'json', name),
      ),
    ]),
    ...views.flatMap(({ name }) =>
      firsts.flatMap((alike) => [
        () => byRead(world, alike, 'json', `OP-${name}-R`, name),
        ...(showsXml(world) ? [() => byRead(world, alike, 'xml', `OP-${name}-R`, name)] : []),
      ]),
    ),
  ];
  for (const show of shows) {
    const wrong = await show();
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** What reads show of a record after an update. */
export const lookAtAlike = (world: World, alike: Alike): Promise<Wrong | undefined> =>
  byRead(world, alike, 'json', 'PAY-U');
