import type { Exchange } from '../../../lib/client/types.ts';
import { OPERATOR_NAMES, type Operator } from '../../../lib/contract/list.ts';
import { PATH_PREFIX } from '../../../lib/contract/operations.ts';
import { opRequirementId } from '../../../lib/contract/requirements.ts';
import { hasOp } from '../../../lib/contract/types.ts';
import { defined } from '../../../lib/defined.ts';
import { present } from '../../../lib/present.ts';
import { counted } from '../../../lib/text.ts';
import { entriesOf, idOf, isNotFound, isSuccess, nextHref } from '../../../lib/wire/answer.ts';
import { encodeQuery, type ListQuery, listQueryPairs } from '../../../lib/wire/query.ts';
import type { RequestInput } from '../../../lib/wire/request.ts';
import { orSpelling } from '../../driver/ask.ts';
import { filterOf } from '../../driver/operands.ts';
import { live } from '../../driver/session.ts';
import { answerText } from '../../kit/answer.ts';
import type { CheckContext } from '../../kit/check.ts';
import { failure, NotTestable, type Subject } from '../../kit/fault.ts';
import { isServerFault } from '../../kit/record/record-reads.ts';
import { malformedIn, nextInXml, xmlRecords } from '../../kit/record/xml-record.ts';
import type { Part } from '../../steps/step.ts';
import { partingOperand } from '../pairs/row-looks.ts';
import { wholeSize } from './looks.ts';
import { type Population, population, valuesOf } from './population.ts';
import { distinct } from './relations.ts';
import { mustShowTexts } from './xml-texts.ts';

const XML = { headers: { accept: 'application/xml' } } as const;

/** A question to a list, with the requirement that an answer breaks if it shows other records. */
interface Question {
  readonly query: ListQuery;
  readonly requirement: string;
  readonly subject: Subject;
  /** Field that the list is sorted by: records that it tells apart come in one order. */
  readonly sorted?: string;
}

const isXml = (exchange: Exchange): boolean => isSuccess(exchange) && exchange.body.trimStart().startsWith('<');
const idsInXml = ({ body }: Exchange): readonly string[] => xmlRecords(body).flatMap((entry) => idOf(entry) ?? []);
const idsInJson = (exchange: Exchange): readonly string[] =>
  (entriesOf(exchange) ?? []).flatMap((entry) => idOf(entry) ?? []);

/** What a list can be asked for: each operator on each field, each sort, and its second page. */
function questions({ session }: Population, context: CheckContext, size: number, small: number): readonly Question[] {
  const { family } = context;
  const firstPage = context.run.dialect('page.first');
  const records = live(session);
  const ask = (requirement: string, subject: Subject, query: ListQuery, sorted?: string): Question => ({
    ...{ query: { size, ...query }, requirement, subject },
    ...defined({ sorted }),
  });
  const on = (field: string, operator: Operator, part: Part) =>
    filterOf(family, { field, operator, part }, records) ?? [];
  const filters = family.filters.flatMap((field) =>
    OPERATOR_NAMES.flatMap((operator) => on(field, operator, partingOperand(operator))),
  );
  // A list of no record has a form too.
  const empty = family.filters.slice(0, 1).flatMap((field) => on(field, 'EQ', 'of nobody'));
  const two = filters.slice(0, 2);
  const [first] = family.sorts;
  const isJoined = two.length > 1;
  return present(
    ...[...filters, ...empty].map((each) =>
      ask(`FOP-${each.operator}`, `filter ${each.field}.${each.operator}`, { filters: [each] }),
    ),
    isJoined && first !== undefined && ask('LST-FILT', 'filters and', { filters: two, sortDsc: first }, first),
    isJoined && orSpelling(session) !== undefined && ask('LST-FTYPE', 'filters or', { filters: two, join: 'or' }),
    ...family.sorts.flatMap((field) => [
      ask('LST-SORT', `sort ${field}.asc`, { sortAsc: field }, field),
      ask('LST-SORT', `sort ${field}.dsc`, { sortDsc: field }, field),
    ]),
    typeof firstPage === 'number' && ask('LST-PAGE', 'pages', { size: small, page: firstPage + 1 }),
  );
}

/** A way to ask for a list, beside the usual one. */
interface Way {
  /** Ends the sentence `a list …`. */
  readonly words: string;
  /** Behind `only if`. */
  readonly condition: string;
  readonly ask: (context: CheckContext, input: Pick<RequestInput, 'list' | 'filterType'>) => Promise<Exchange>;
  /** Ids of the records that an answer shows; undefined if its form tells none. */
  readonly idsIn: (answer: Exchange) => readonly string[] | undefined;
}

const IN_XML: Way = {
  ...{ words: 'in XML', condition: 'the list is asked for in XML' },
  ask: (context, input) => context.send('list', { ...input, ...XML }),
  idsIn: (answer) => (isXml(answer) ? idsInXml(answer) : undefined),
};

/** Parameters have no order: the last one comes first. */
const TURNED_ROUND: Way = {
  ...{ words: 'whose parameters come in another order', condition: 'the parameters come in another order' },
  ask(context, { list = {}, filterType }) {
    const pairs = listQueryPairs(list, filterType).toReversed();
    return context.follow(`${PATH_PREFIX}/${context.family.name}${encodeQuery(pairs)}`);
  },
  idsIn: (answer) => (isSuccess(answer) ? idsInJson(answer) : []),
};

type Ask = () => Promise<Exchange>;
type Differing = Readonly<Record<'usual' | 'seen', Exchange>>;

/** Asks in the usual way and in another until both agree; gives two answers that do not, if the usual one stays as it is meanwhile. */
async function disagreement(
  { eventually }: CheckContext,
  ask: { readonly usual: Ask; readonly other: Ask },
  isSame: (seen: Exchange, usual: Exchange) => boolean,
  told: (answer: Exchange) => string = (answer) => idsInJson(answer).join(),
): Promise<Differing | undefined> {
  let wrong: Differing | undefined;
  await eventually(async () => {
    const [usual, seen] = [await ask.usual(), await ask.other()];
    wrong = undefined;
    if (isSame(seen, usual)) return true;
    // Others may write at any time: a list whose order or records change by themselves tells nothing.
    if (told(usual) === told(await ask.usual())) wrong = { usual, seen };
    return undefined;
  });
  return wrong;
}

/** The same question asked in another way shows the same records, in the same order if one is asked for. */
async function mustShowTheSame(context: CheckContext, on: Population, question: Question, way: Way): Promise<void> {
  const { query, requirement, subject, sorted } = question;
  const input = { list: query, ...defined({ filterType: query.join === 'or' ? orSpelling(on.session) : undefined }) };
  // What no record shows tells none apart.
  const judged = sorted === undefined || valuesOf(on, sorted).length === 0 ? undefined : distinct(on, sorted);
  const told = (ids: readonly string[]) => [...ids.filter((id) => judged?.has(id)), '', ...[...ids].sort()].join();
  const wrong = await disagreement(
    context,
    { usual: () => context.send('list', input), other: () => way.ask(context, input) },
    (seen, usual) => {
      const ids = way.idsIn(seen);
      const isShown = ids === undefined || told(ids) === told(idsInJson(usual));
      const isSame = isServerFault(seen) ? isServerFault(usual) : isShown;
      if (isSame && ids !== undefined) context.witness('compared');
      return isSame;
    },
    (answer) => told(idsInJson(answer)),
  );
  if (wrong === undefined) return;
  const ids = way.idsIn(wrong.seen) ?? [];
  await mustBeThere(context, question, wrong.usual, ids);
  context.evidence.add(wrong.seen);
  const order = sorted === undefined ? '' : ', in that order';
  const isRefused = isServerFault(wrong.seen);
  throw failure(isRefused ? 'refused' : 'records', 'list', subject, {
    ...{ requirement, onlyIf: isRefused ? way.condition : undefined },
    expected: `a list ${way.words} with the ${idsInJson(wrong.usual).length} records of the usual one${order}`,
    observed: isSuccess(wrong.seen) ? `${ids.length} records: ${ids.slice(0, 3).join(', ')}` : answerText(wrong.seen),
  });
}

/** Of a record that one of two answers shows, and that no read finds, the other is right. */
async function mustBeThere(
  context: CheckContext,
  { requirement, subject }: Question,
  usual: Exchange,
  ids: readonly string[],
) {
  const { family, send, evidence } = context;
  const shown = idsInJson(usual);
  const record = shown.find((id) => !ids.includes(id));
  if (record === undefined || !hasOp(family, 'read') || !isNotFound(await send('read', { id: record }))) return;
  evidence.add(usual);
  const isOfDelete = hasOp(family, 'delete');
  const facts = {
    requirement: isOfDelete ? opRequirementId(family.name, 'delete') : requirement,
    expected: `a list without the record ${record}, which no read finds`,
    observed: `among the ${counted(shown.length, 'record')} shown`,
  };
  const details = { record, times: 1, ...(isOfDelete ? { state: 'deleted' as const } : {}) };
  throw failure('records', 'list', subject, facts, details);
}

/** Pages of a list whose links are followed in XML and in JSON. */
const LINKED = 3;

/** The links to the next page are there in XML too, and lead to it. */
async function mustLinkOn(context: CheckContext, small: number): Promise<void> {
  let json: Ask = () => context.send('list', { list: { size: small } });
  let xml: Ask = () => context.send('list', { list: { size: small }, ...XML });
  for (let page = 1; page < LINKED; page += 1) {
    const links = await context.eventually(async () => {
      const [usual, shown] = [await json(), await xml()];
      const [next, inXml] = [nextHref(usual), nextInXml(shown.body)];
      if (next !== undefined && isXml(shown) && inXml === undefined) return undefined;
      return { next, inXml, isSame: idsInXml(shown).join() === idsInJson(usual).join() };
    });
    if (links === undefined)
      throw failure('missing', 'list', 'pages', {
        requirement: 'LST-NEXT',
        expected: `page ${page} of a list in XML with the link nextPage, as in JSON`,
        observed: 'no nextPage',
      });
    const { next, inXml, isSame } = links;
    // A list may have another order each time.
    if (next === undefined || inXml === undefined || !isSame) return;
    json = () => context.follow(next);
    xml = () => context.follow(inXml, undefined, XML.headers);
    await mustBeOnePage(context, json, xml);
    context.witness('links');
  }
}

async function mustBeOnePage(context: CheckContext, json: Ask, xml: Ask): Promise<void> {
  const isSame = (page: Exchange, usual: Exchange) =>
    isSuccess(page) && (!isXml(page) || idsInXml(page).join() === idsInJson(usual).join());
  const wrong = await disagreement(context, { usual: json, other: xml }, isSame);
  if (wrong === undefined) return;
  throw failure('value', 'list', 'pages', {
    requirement: 'LST-NEXT',
    expected: 'nextPage of a list in XML to lead to the page that it leads to in JSON',
    observed: isSuccess(wrong.seen) ? `${idsInXml(wrong.seen).length} other records` : answerText(wrong.seen),
  });
}

/** Asks for the same lists in XML and JSON; fails if they differ. Throws `NotTestable` if none comes in XML, or none shows ids, or pages in XML hold fewer records, of which nothing is stated. */
export async function compareXmlLists(context: CheckContext): Promise<undefined> {
  const on = await population(context);
  const size = wholeSize(context);
  const plain = await context.send('list', { list: { size } });
  const xml = await context.send('list', { list: { size }, ...XML });
  const needs = 'a target whose lists in XML show ids';
  if (!isXml(xml)) throw new NotTestable(`a list asked for in XML is not answered in it: ${answerText(xml)}`, needs);
  const malformed = malformedIn(xml.body);
  if (malformed !== undefined && /xml/.test(String(xml.headers['content-type']))) {
    context.evidence.add(xml);
    const expected = 'a list in XML that is well-formed';
    throw failure('value', 'list', 'body malformed', { expected, observed: malformed });
  }
  const found = idsInJson(plain).map((id) => idsInXml(xml).includes(id));
  if (!found.includes(true) || (found.includes(false) && nextInXml(xml.body) !== undefined))
    throw new NotTestable('the form of a list in XML is not shown, and no ids were found in it', needs);
  const small = Math.max(1, Math.ceil(idsInJson(plain).length / 3));
  for (const question of questions(on, context, size, small)) await mustShowTheSame(context, on, question, IN_XML);
  await mustLinkOn(context, small);
  await mustShowTexts(context, { size });
}

/** Asks for the same lists with their parameters in another order; fails if they differ. */
export async function compareTurnedLists(context: CheckContext): Promise<undefined> {
  const on = await population(context);
  const small = Math.max(1, Math.ceil(on.count / 3));
  for (const question of questions(on, context, wholeSize(context), small))
    await mustShowTheSame(context, on, question, TURNED_ROUND);
}
