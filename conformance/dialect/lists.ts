import type { Exchange } from '../../lib/client/types.ts';
import type { Operator } from '../../lib/contract/list.ts';
import { PATH_PREFIX } from '../../lib/contract/operations.ts';
import { UNKNOWN } from '../../lib/records/conformance.ts';
import { isSuccess, recordOf } from '../../lib/wire/answer.ts';
import { pageOf } from '../../lib/wire/list-walk.ts';
import { type Filter, OR_SPELLINGS } from '../../lib/wire/query.ts';
import type { RequestInput } from '../../lib/wire/request.ts';
import type { CheckContext } from '../kit/check.ts';
import { identityField } from '../kit/list/seeded-records.ts';
import { caseTurned } from '../kit/list/value.ts';
import type { ListPage } from '../kit/record/finder.ts';
import { UNKNOWN_ID } from '../kit/values/payload.ts';
import { asking, type Probe, type ProbeRecord, type Question } from './question.ts';

const page = async ({ context }: Probe, input: RequestInput = {}): Promise<ListPage | undefined> =>
  pageOf(await context.send('list', input));

const told = (exchange: Exchange): string => {
  const answered = pageOf(exchange);
  return answered === undefined ? `refused with ${exchange.status}` : `answered with ${answered.items.length} records`;
};

const fieldOf = ({ family }: CheckContext): string => identityField(family) ?? 'name';

const filter = (field: string, operator: Operator, value: string) => ({ field, operator, value });

async function firstPage(probe: Probe): Promise<unknown> {
  const asked = [{ size: 5 }, { size: 5 }, { size: 5, page: 0 }, { size: 5, page: 1 }];
  const pages = await Promise.all(asked.map((list) => page(probe, { list })));
  const [first, again, zero, one] = pages.map((each) => each?.items.map(({ id }) => id).join());
  // What begins a list that has another order each time, no number tells.
  if (!first || again !== first) return undefined;
  if (one === first) return 1;
  return zero === first ? 0 : 'neither 0 nor 1';
}

async function defaultSize(probe: Probe): Promise<unknown> {
  const answer = await page(probe);
  if (answer === undefined) return undefined;
  return answer.next === undefined ? `at least ${answer.items.length}` : answer.items.length;
}

const SIZES = [1000, 500, 200, 100, 50, 20, 10] as const;

async function largestSize(probe: Probe): Promise<unknown> {
  for (const size of SIZES) {
    const answer = await page(probe, { list: { size } });
    if (answer !== undefined)
      return answer.next !== undefined && answer.items.length < size ? answer.items.length : size;
  }
  return undefined;
}

/** Whether a filtered list shows the record; undefined if there is none. */
const isListed = async (probe: Probe, filters: readonly Filter[], { id }: ProbeRecord): Promise<boolean | undefined> =>
  (await page(probe, { list: { filters } }))?.items.some((item) => item.id === id);

/** One of two words, if it can be told which. */
const word = (is: boolean | undefined, yes: string, no: string) => (is === undefined ? undefined : is ? yes : no);

async function caseRule(probe: Probe): Promise<unknown> {
  const { context, records } = probe;
  const record = records.find(({ name }) => caseTurned(name) !== name);
  if (record === undefined) return undefined;
  const ruleOf = async (operator: Operator) => {
    const turned = filter(fieldOf(context), operator, caseTurned(record.name));
    return word(await isListed(probe, [turned], record), 'ignored', 'told apart');
  };
  // Nothing says that all operators have one rule.
  const [whole, part] = [await ruleOf('EQ'), await ruleOf('STARTSW')];
  return whole === part ? whole : 'by operator';
}

async function collation(probe: Probe): Promise<unknown> {
  const { context, records } = probe;
  const field = fieldOf(context);
  const own = records.filter((record) => record.own);
  if (!context.family.sorts.includes(field) || own.length < 2) return undefined;
  const filters = [filter(field, 'STARTSW', `${context.run.prefix}d`)];
  const answer = await page(probe, { list: { filters, sortAsc: field, size: 10 } });
  if (answer === undefined) return undefined;
  const order = answer.items.map(({ id }) => own.findIndex((record) => record.id === id)).join();
  if (order === '0,1,2') return 'capital letters first';
  return order === '1,0,2' ? 'case ignored' : `another: ${order}`;
}

async function absentInNegation(probe: Probe): Promise<unknown> {
  const { context, records } = probe;
  const own = records.find((record) => record.own);
  if (own === undefined || !context.family.filters.includes('description')) return undefined;
  const read = await context.send('read', { id: own.id });
  if (!isSuccess(read) || recordOf(read)?.['description'] !== undefined) return undefined;
  const filters = [filter(fieldOf(context), 'EQ', own.name), filter('description', 'NEQ', 'cfm-none')];
  return word(await isListed(probe, filters, own), 'kept', 'left out');
}

async function spelling(probe: Probe): Promise<unknown> {
  const { context, records } = probe;
  const [one, other] = records;
  if (one === undefined || other === undefined) return undefined;
  const filters = [one, other].map(({ name }) => filter(fieldOf(context), 'EQ', name));
  for (const filterType of OR_SPELLINGS) {
    const answer = await page(probe, { list: { filters, join: 'or', size: 10 }, filterType });
    const ids = answer?.items.map(({ id }) => id) ?? [];
    if ([one, other].every(({ id }) => ids.includes(id))) return filterType;
  }
  return undefined;
}

const answerTo =
  (input: RequestInput) =>
  async ({ context }: Probe) =>
    told(await context.send('list', input));

const unlisted = (name: string, value: string) => answerTo({ extra: [[name, value]] });

async function explicitAnd(probe: Probe): Promise<unknown> {
  const [one, other] = probe.records;
  if (one === undefined || other === undefined) return undefined;
  const field = fieldOf(probe.context);
  const filters = [filter(field, 'EQ', one.name), filter(field, 'NEQ', other.name)];
  return answerTo({ list: { filters, join: 'and' } })(probe);
}

async function operatorCase({ context, records: [record] }: Probe): Promise<unknown> {
  if (record === undefined) return undefined;
  const answer = await context.send('list', { extra: [['filter', `${fieldOf(context)}.eq.${record.name}`]] });
  const { items = [] } = pageOf(answer) ?? {};
  return items.length === 1 && items[0]?.id === record.id ? 'eq is EQ' : told(answer);
}

async function itemShape(probe: Probe): Promise<unknown> {
  const item = (await page(probe, { list: { size: 1 } }))?.items[0];
  return item && Object.keys(item.record).sort();
}

async function hrefForm(probe: Probe): Promise<unknown> {
  const next = (await page(probe, { list: { size: 1 } }))?.next;
  return next && (/^[a-z]+:\/\//i.test(next) ? 'absolute' : 'relative');
}

async function slash({ context }: Probe): Promise<unknown> {
  const exchange = await context.raw({
    ...{ family: context.family.name, op: 'list', method: 'GET', path: `${PATH_PREFIX}/${context.family.name}/` },
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
  });
  return pageOf(exchange) === undefined ? `status ${exchange.status}` : 'as without';
}

async function xmlAnswer({ context }: Probe): Promise<unknown> {
  const exchange = await context.send('list', { list: { size: 1 }, headers: { accept: 'application/xml' } });
  return isSuccess(exchange) ? (exchange.headers['content-type'] ?? UNKNOWN) : `status ${exchange.status}`;
}

const unknownId = async ({ context }: Probe): Promise<unknown> =>
  `status ${(await context.send('read', { id: UNKNOWN_ID })).status}`;

const read = asking('read');

/** Questions about lists and reads: asked in every mode. */
export const LIST_QUESTIONS: readonly Question[] = [
  read('page.first', 'number of the first page', firstPage),
  read('page.default-size', 'records on a page where size is not given', defaultSize),
  read('page.largest-size', 'largest size that is taken', largestSize),
  read('page.size-over', 'answer to a size far over any limit', answerTo({ list: { size: 100_000 } })),
  read('page.size-zero', 'answer to size=0', answerTo({ list: { size: 0 } })),
  read('page.past-end', 'answer to a page past the end', answerTo({ list: { size: 10, page: 9999 } })),
  read('list.item-shape', 'members of a list entry', itemShape),
  read('list.href', 'form of nextPage.href', hrefForm),
  read('text.case', 'upper and lower case in EQ and STARTSW', caseRule),
  read('sort.collation', 'order of upper and lower case', collation),
  read('filter.null-negation', 'records without the field under a negative operator', absentInNegation),
  read('filter-type.spelling', 'spelling of filterType and its value that joins by OR', spelling),
  read('filter-type.and', 'answer to an explicit AND', explicitAnd),
  read('filter.operator-case', 'answer to an operator in lower case', operatorCase),
  read('filter.unlisted-field', 'answer to a filter on an unlisted field', unlisted('filter', 'cfmNoSuchField.EQ.x')),
  read('sort.unlisted-field', 'answer to a sort by an unlisted field', unlisted('sortasc', 'cfmNoSuchField')),
  read('path.trailing-slash', 'answer to a list path that ends in a slash', slash),
  read('xml.response', 'media type of a list asked for as XML', xmlAnswer),
  read('id.unknown', 'answer to a read of an id that names no record', unknownId),
];
