import type { Exchange } from '../../lib/client/types.ts';
import { type Family, fieldsOf, hasOp } from '../../lib/contract/types.ts';
import { jsonOf } from '../../lib/json-text.ts';
import { present } from '../../lib/present.ts';
import type { KeptWrite } from '../../lib/records/histories.ts';
import { endOf, isObject, isOverloaded, isSuccess, type JsonObject } from '../../lib/wire/answer.ts';
import { isFound, runSteps } from '../driver/run.ts';
import type { CheckContext, Fixture } from '../kit/check.ts';
import { showsAtOnce } from '../kit/delay.ts';
import { type About, memberOf } from '../kit/fault.ts';
import { isNumbered, nameMember } from '../kit/fields.ts';
import { idGiven } from '../kit/record/fixture.ts';
import { xmlRecords } from '../kit/record/xml-record.ts';
import { telling } from '../kit/telling.ts';
import { clausesText, LONG } from '../kit/text-words.ts';
import type { Difference } from '../model/difference.ts';
import { afterWrite, type Write } from '../model/history.ts';
import { type Carried, type Criterion, PLAIN, type Step, type StepOf, type Steps } from '../steps/step.ts';
import { create, look, read, remove, update } from './make.ts';
import { plainlyTold } from './narrowed.ts';
import { list } from './obvious/looks.ts';
import { withSession } from './obvious/steps.ts';

/** What a check sent: the records that it made, its writes that were taken, and the refusal or the list that its failure is about. */
export interface Sent {
  readonly fixtures: readonly Pick<Fixture, 'family' | 'id' | 'sent'>[];
  readonly writes: readonly Exchange[];
  /** Writes before those, to the records of a list. */
  readonly known?: readonly KeptWrite[] | undefined;
  readonly refused?: Exchange | undefined;
  readonly listed?: Exchange | undefined;
}

/** The create or update that was sent; undefined for any other request. Without an id if it is a create that was refused. */
function writeOf(exchange: Exchange, family: Family): Write | undefined {
  const { op: kind, body = '', path } = exchange.request;
  if ((kind !== 'create' && kind !== 'update') || exchange.request.family !== family.name) return undefined;
  const json = jsonOf(body);
  const [record] = isObject(json) ? Object.values(json) : [];
  // Of a body in XML, the texts alone are known to be as they were sent.
  const isText = ([member]: readonly [string, unknown]) => fieldsOf(family)[member]?.type === 'string';
  const texts = () => Object.fromEntries(Object.entries(xmlRecords(body)[0] ?? {}).filter(isText));
  const sent = isObject(record) ? record : texts();
  const id = (kind === 'create' ? idGiven(exchange, family, sent) : endOf(path)) ?? '';
  return { kind, family: family.name, id, sent, form: isObject(record) ? 'json' : 'xml', end: 'done' };
}

/** What is particular about a name: its signs, and that it is long. Names differ in all records. */
function endingOf(given: string, usual: string): string {
  const signs = given.replace(/[A-Za-z0-9]/g, '');
  const mark = signs === '' ? '' : `a${signs}b`;
  return given.length > LONG ? mark.padEnd(given.length - usual.length, 'a') : mark;
}

/** What a body holds otherwise than one before it, but for the name and what no two records share. */
const changed = (family: Family, fields: JsonObject, before: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([member, value]) =>
        ![nameMember(family), 'name', 'id', 'link'].includes(member) &&
        fieldsOf(family)[member]?.sentOn !== 'never' &&
        !isNumbered(family, member) &&
        JSON.stringify(value) !== JSON.stringify(before[member]),
    ),
  );

const SUBJECT = 'subject';

function createOf(family: Family, { sent, form }: Write, usual: JsonObject): StepOf<'create'> {
  const name = nameMember(family) ?? 'name';
  const without = form === 'xml' ? [] : Object.keys(usual).filter((member) => !(member in sent));
  return {
    ...create(SUBJECT, changed(family, sent, usual), { fresh: endingOf(`${sent[name] ?? ''}`, `${usual[name]}`) }),
    ...{ form, ...('id' in sent ? { withId: true } : {}), ...(without.length > 0 ? { without } : {}) },
  };
}

/** `usual`: numbers that no record has yet. */
function updateOf(family: Family, { sent, form }: Write, before: JsonObject, usual: JsonObject): StepOf<'update'> {
  const name = nameMember(family) ?? 'name';
  const isOther = (member: string) => sent[member] !== undefined && sent[member] !== before[member];
  const ending = isOther(name) ? { fresh: endingOf(`${sent[name]}`, `${before[name]}`) } : undefined;
  const numbers = Object.entries(usual).filter(([member]) => isNumbered(family, member) && isOther(member));
  return { ...update(SUBJECT, { ...changed(family, sent, before), ...Object.fromEntries(numbers) }, ending), form };
}

/** The list that was asked for, for the name that the record has if it was asked for by its name. */
function listOf({ request: { path } }: Exchange, name: unknown): Step {
  const query = new URLSearchParams(path.split('?')[1]);
  const criteria = query.getAll('filter').map((filter): Criterion => {
    const [field = '', operator = '', ...operand] = filter.split('.');
    const text = operand.join('.') === name ? {} : { text: operand.join('.') };
    return { ...{ field, operator: operator.toUpperCase() as Criterion['operator'], part: 'whole' }, ...text };
  });
  return look({ ...list({ criteria, size: 100 }), about: SUBJECT });
}

/** The steps that come to what a check sent, on a record of their own; undefined if that is not known. `refused`: the write that failed. */
function stepsOf(
  { family, payload }: CheckContext,
  about: About,
  { fixtures, writes, known = [], listed, ...failed }: Sent,
  refused: Write | undefined,
): Steps | undefined {
  const { operation: op, kind } = about;
  // What is refused for its form alone is told by its check.
  if (op === 'create' && refused !== undefined) return [{ ...createOf(family, refused, payload()), form: 'json' }];
  const made = fixtures.map((each): Write => ({ ...each, kind: 'create', form: 'json', end: 'done' }));
  const sent = writes.flatMap((exchange) => writeOf(exchange, family) ?? []);
  const own = [...known, ...made, ...sent].filter((each) => each.family === family.name);
  const member = memberOf(about);
  const at = own.findLastIndex((each) => each.kind === op && member !== undefined && member in each.sent);
  const id = failed.refused === undefined ? (own[at]?.id ?? about.record) : endOf(failed.refused.request.path);
  const first = own.find((each) => each.kind === 'create' && each.id === id);
  if (first === undefined) return undefined;
  const steps: Step[] = [createOf(family, first, payload())];
  let now = first.sent;
  const updates = own.slice(0, at < 0 ? own.length : at + 1).filter((each) => each.kind === 'update' && each.id === id);
  for (const each of [...updates, ...present(refused)]) {
    steps.push(updateOf(family, each, now, payload()));
    now = { ...now, ...each.sent };
  }
  if (kind === 'records') return listed && [...steps, listOf(listed, now[nameMember(family) ?? 'name'])];
  if (op === 'delete') return [...steps, remove(SUBJECT), read(SUBJECT)];
  if (refused === undefined) return [...steps, read(SUBJECT)];
  const headers = Object.entries(failed.refused?.request.headers ?? {});
  const isCharset = headers.some(([name, value]) => /^content-type$/i.test(name) && value?.includes(';'));
  const carried: Carried = { ...PLAIN, type: isCharset ? 'charset' : 'plain' };
  return [...steps.slice(0, -1), { ...(steps.at(-1) as StepOf<'update'>), carried }];
}

/** What has to be so for a failure to show, as clauses behind `only if`, from the steps that come to what its check sent; undefined if it shows on plain records too, or if nobody knows. */
export async function retold(context: CheckContext, about: About, sent: Sent): Promise<string | undefined> {
  const { family, run } = context;
  const { operation: op, kind } = about;
  const isSeen = sent.refused !== undefined || (hasOp(family, 'read') && showsAtOnce({ context }));
  if (!run.mayCreate() || !isSeen) return undefined;
  const refused = sent.refused && writeOf(sent.refused, family);
  const steps = stepsOf(context, about, sent, refused);
  if (steps === undefined) return undefined;
  const member = memberOf(about);
  const isAlike = ({ about: other }: Difference): boolean => {
    if (member !== undefined && /^(value|missing)$/.test(kind))
      return memberOf(other) === member && /^(value|missing)$/.test(other.kind);
    if (kind === 'records') return other.kind === kind;
    return other.operation === op && /^(refused|no-effect)$/.test(other.kind);
  };
  const isRefusal = ({ request, ...answer }: Exchange) =>
    sent.refused !== undefined && request.op === op && op !== 'read' && !isSuccess(answer) && !isOverloaded(answer);
  const known = op === 'create' && refused ? afterWrite(undefined, refused, family) : undefined;
  const numbers = known && new Map([[SUBJECT, known]]);
  return withSession(context, async (session) => {
    const asking = { ...session, isKnown: (other: Difference) => !isAlike(other) };
    const attempt = async (some: Steps) => {
      const ran = await runSteps(asking, some);
      return { ...ran, isShown: isFound(ran) || ran.exchanges.some(isRefusal) };
    };
    const told = await plainlyTold(asking, steps, { about }, attempt, numbers);
    for (const each of telling(told?.exchanges ?? [])) context.evidence.add(each);
    if (told === undefined || told.clauses.length > 0 || op !== 'update') return told && clausesText(told.clauses);
    // What is refused of the plainest update may be that it gives the name that is there.
    const renaming = told.plain.map((each) => (each.step === 'update' ? { ...each, name: { fresh: '' } } : each));
    const { isShown, notDone } = await attempt(renaming);
    const isTaken = !isShown && notDone.size === 0 && (await attempt(told.plain)).isShown;
    return isTaken ? 'the update keeps the name' : undefined;
  });
}
