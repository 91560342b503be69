import { XMLParser } from 'fast-xml-parser';
import type { Exchange } from '../../../lib/client/types.ts';
import { OPERATOR_NAMES } from '../../../lib/contract/list.ts';
import { defined } from '../../../lib/defined.ts';
import { entriesOf, idOf, isSuccess, nextHref } from '../../../lib/wire/answer.ts';
import type { ListQuery } from '../../../lib/wire/query.ts';
import { orSpelling } from '../../driver/ask.ts';
import { filterOf } from '../../driver/operands.ts';
import { live } from '../../driver/session.ts';
import { answerText } from '../../kit/answer.ts';
import type { CheckContext } from '../../kit/check.ts';
import { CheckFailure, NotTestable } from '../../kit/fault.ts';
import { xmlRecords } from '../../kit/record/xml-record.ts';
import type { Subject } from '../../kit/subject.ts';
import { partingOperand } from '../pairs/row-looks.ts';
import { wholeSize } from './looks.ts';
import { type Population, population } from './population.ts';

const XML = { headers: { accept: 'application/xml' } } as const;

/** A question to a list, with the requirement that an answer in XML breaks if it shows other records. */
interface Question {
  readonly query: ListQuery;
  readonly requirement: string;
  readonly subject: Subject;
  /** The order of the records is asked for. */
  readonly isOrdered?: true;
}

const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '', removeNSPrefix: true });

/** Address under `nextPage` of a list in XML, wherever it stands there; undefined if there is none. */
function nextInXml(body: string): string | undefined {
  const find = (value: unknown, isNext: boolean): string | undefined => {
    if (typeof value !== 'object' || value === null) return undefined;
    for (const [name, held] of Object.entries(value)) {
      if (typeof held === 'string' && (name === 'nextPage' || (isNext && name === 'href'))) return held;
      const found = find(held, isNext || name === 'nextPage');
      if (found !== undefined) return found;
    }
    return undefined;
  };
  try {
    return find(parser.parse(body), false);
  } catch {
    return undefined;
  }
}

const isXml = (exchange: Exchange): boolean => isSuccess(exchange) && exchange.body.trimStart().startsWith('<');
const idsInXml = ({ body }: Exchange): readonly string[] => xmlRecords(body).flatMap((entry) => idOf(entry) ?? []);
const idsInJson = (exchange: Exchange): readonly string[] =>
  (entriesOf(exchange) ?? []).flatMap((entry) => idOf(entry) ?? []);

/** What a list can be asked for: each operator on each field, each sort, and its second page. */
function questions({ session }: Population, context: CheckContext, size: number, small: number): readonly Question[] {
  const { family } = context;
  const first = context.run.dialect('page.first');
  const records = live(session);
  const filtered = family.filters.flatMap((field) =>
    OPERATOR_NAMES.flatMap((operator): Question[] => {
      const filter = filterOf(family, { field, operator, part: partingOperand(operator) }, records);
      if (filter === undefined) return [];
      return [
        { query: { filters: [filter], size }, requirement: `FOP-${operator}`, subject: `filter ${field}.${operator}` },
      ];
    }),
  );
  const [one, other] = filtered.flatMap(({ query: { filters = [] } }) => filters);
  const isEither = one !== undefined && other !== undefined && orSpelling(session) !== undefined;
  return [
    ...filtered,
    ...(isEither
      ? [
          {
            query: { filters: [one, other], join: 'or', size },
            requirement: 'LST-FTYPE',
            subject: 'filters or',
          } as const,
        ]
      : []),
    ...family.sorts.flatMap((field): Question[] => [
      { query: { sortAsc: field, size }, requirement: 'LST-SORT', subject: `sort ${field}.asc`, isOrdered: true },
      { query: { sortDsc: field, size }, requirement: 'LST-SORT', subject: `sort ${field}.dsc`, isOrdered: true },
    ]),
    ...(typeof first === 'number'
      ? [{ query: { size: small, page: first + 1 }, requirement: 'LST-PAGE', subject: 'pages' } as const]
      : []),
  ];
}

/** The same question answered in XML shows the same records, in the same order if one is asked for. */
async function mustShowTheSame(context: CheckContext, on: Population, question: Question): Promise<void> {
  const { query, requirement, subject, isOrdered } = question;
  const spelling = query.join === 'or' ? { filterType: orSpelling(on.session) } : {};
  const told = (ids: readonly string[]) => (isOrdered ? ids : [...ids].sort()).join();
  let wrong: { readonly json: readonly string[]; readonly xml: readonly string[]; readonly seen: Exchange } | undefined;
  await context.eventually(async () => {
    const json = await context.send('list', { list: query, ...defined(spelling) });
    const seen = await context.send('list', { list: query, ...defined(spelling), ...XML });
    const again = await context.send('list', { list: query, ...defined(spelling) });
    // A list whose order or records change by themselves tells nothing.
    const isSteady = told(idsInJson(json)) === told(idsInJson(again));
    const isSame = !isXml(seen) || told(idsInXml(seen)) === told(idsInJson(json));
    wrong = isSame || !isSteady ? undefined : { json: idsInJson(json), xml: idsInXml(seen), seen };
    if (isSame && isXml(seen)) context.witness('compared');
    return isSame ? true : undefined;
  });
  if (wrong === undefined) return;
  context.evidence.add(wrong.seen);
  throw new CheckFailure({
    requirement,
    expected: `a list in XML with the ${wrong.json.length} records of the same list in JSON${isOrdered ? ', in that order' : ''}`,
    observed: `${wrong.xml.length} records: ${wrong.xml.slice(0, 3).join(', ')}`,
    about: { kind: 'records', operation: 'list', subject },
  });
}

/** The link to the next page is there in XML too, and leads to it. */
async function mustLinkOn(context: CheckContext, small: number): Promise<void> {
  const json = await context.send('list', { list: { size: small } });
  const xml = await context.send('list', { list: { size: small }, ...XML });
  const [next, inXml] = [nextHref(json), nextInXml(xml.body)];
  if (next === undefined || !isXml(xml)) return;
  const about = { operation: 'list', subject: 'pages' } as const;
  const expected = 'a list in XML with the link nextPage, as in JSON';
  if (inXml === undefined)
    throw new CheckFailure({
      requirement: 'LST-NEXT',
      expected,
      observed: 'no nextPage',
      about: { ...about, kind: 'missing' },
    });
  let wrong: string | undefined;
  await context.eventually(async () => {
    const before = await context.follow(next);
    const page = await context.follow(inXml, undefined, XML.headers);
    const after = await context.follow(next);
    const isSame = isSuccess(page) && (!isXml(page) || idsInXml(page).join() === idsInJson(after).join());
    // Others may write at any time: pages that change by themselves tell nothing.
    const isSteady = idsInJson(before).join() === idsInJson(after).join();
    const seen = isSuccess(page) ? `${idsInXml(page).length} other records` : answerText(page);
    wrong = isSame || !isSteady ? undefined : seen;
    return isSame ? true : undefined;
  });
  context.witness('links');
  if (wrong === undefined) return;
  throw new CheckFailure({
    ...{ requirement: 'LST-NEXT', expected: 'nextPage of a list in XML to lead to the page that it leads to in JSON' },
    observed: wrong,
    about: { ...about, kind: 'value' },
  });
}

/**
 * Asks for the same lists in XML and in JSON; fails if they differ. Throws `NotTestable` if the target answers no list in XML, or
 * shows no ids in it: its form is not shown.
 */
export async function compareXmlLists(context: CheckContext): Promise<void> {
  const on = await population(context);
  const size = wholeSize(context);
  const plain = await context.send('list', { list: { size } });
  const xml = await context.send('list', { list: { size }, ...XML });
  const needs = 'a target whose lists in XML show ids';
  if (!isXml(xml)) throw new NotTestable(`a list asked for in XML is not answered in it: ${answerText(xml)}`, needs);
  const shown = idsInXml(xml);
  if (shown.length === 0 || idsInJson(plain).some((id) => !shown.includes(id)))
    throw new NotTestable('the form of a list in XML is not shown, and no ids were found in it', needs);
  const small = Math.max(1, Math.ceil(idsInJson(plain).length / 3));
  for (const question of questions(on, context, size, small)) await mustShowTheSame(context, on, question);
  await mustLinkOn(context, small);
}
