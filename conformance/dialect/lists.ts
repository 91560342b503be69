import type { Operator } from '../../lib/contract/list.ts';
import { pageOf } from '../../lib/wire/list-walk.ts';
import { OR_SPELLINGS } from '../../lib/wire/query.ts';
import type { RequestInput } from '../../lib/wire/request.ts';
import type { CheckContext } from '../kit/check.ts';
import { identityField } from '../kit/list/seeded-records.ts';
import { caseTurned } from '../kit/list/value.ts';
import type { ListPage } from '../kit/record/finder.ts';
import type { Probe, Question } from './question.ts';

const page = async ({ context }: Probe, input: RequestInput = {}): Promise<ListPage | undefined> =>
  pageOf(await context.send('list', input));

const fieldOf = ({ family }: CheckContext): string => identityField(family) ?? 'name';

async function firstPage(probe: Probe): Promise<unknown> {
  const asked = [{ size: 5 }, { size: 5 }, { size: 5, page: 0 }, { size: 5, page: 1 }];
  const pages = await Promise.all(asked.map((list) => page(probe, { list })));
  const [first, again, zero, one] = pages.map((each) => each?.items.map(({ id }) => id).join());
  // What begins a list that has another order each time, no number tells.
  if (!first || again !== first) return undefined;
  if (one === first) return 1;
  return zero === first ? 0 : 'neither 0 nor 1';
}

const SIZES = [1000, 500, 200, 100, 50, 20, 10, 5, 2, 1] as const;

async function largestSize(probe: Probe): Promise<unknown> {
  for (const size of SIZES) {
    const answer = await page(probe, { list: { size } });
    if (answer !== undefined)
      return answer.next !== undefined && answer.items.length < size ? answer.items.length : size;
  }
  return undefined;
}

/** A run asks the target itself for the next page; another client may follow the link as it stands. */
async function linkHost(probe: Probe): Promise<unknown> {
  const { next } = (await page(probe, { list: { size: 1 } })) ?? {};
  return next && (URL.canParse(next) ? new URL(next).host : 'no host');
}

async function caseRule(probe: Probe): Promise<unknown> {
  const { context, records } = probe;
  const record = records.find(({ name }) => caseTurned(name) !== name);
  if (record === undefined) return undefined;
  const ruleOf = async (operator: Operator) => {
    const turned = { field: fieldOf(context), operator, value: caseTurned(record.name) };
    const shown = await page(probe, { list: { filters: [turned] } });
    return shown && (shown.items.some(({ id }) => id === record.id) ? 'ignored' : 'told apart');
  };
  // Nothing says that all operators have one rule.
  const [whole, part] = [await ruleOf('EQ'), await ruleOf('STARTSW')];
  return whole === part ? whole : 'by operator';
}

async function spelling(probe: Probe): Promise<unknown> {
  const { context, records } = probe;
  const [one, other] = records;
  if (one === undefined || other === undefined) return undefined;
  const filters = [one, other].map(({ name }) => ({ field: fieldOf(context), operator: 'EQ' as const, value: name }));
  for (const filterType of OR_SPELLINGS) {
    const answer = await page(probe, { list: { filters, join: 'or', size: 10 }, filterType });
    const ids = answer?.items.map(({ id }) => id) ?? [];
    if ([one, other].every(({ id }) => ids.includes(id))) return filterType;
  }
  return undefined;
}

/** Questions about lists and reads: asked in every mode. */
export const LIST_QUESTIONS: readonly Question[] = [
  { id: 'page.first', question: 'number of the first page', needs: 'read', ask: firstPage },
  { id: 'page.largest-size', question: 'largest size that is taken', needs: 'read', ask: largestSize },
  { id: 'page.link-host', question: 'host that the link to the next page names', needs: 'read', ask: linkHost },
  { id: 'text.case', question: 'upper and lower case in EQ and STARTSW', needs: 'read', ask: caseRule },
  { id: 'filter-type.spelling', question: 'spelling of filterType and of its OR', needs: 'read', ask: spelling },
];
