import type { Exchange } from '../../../lib/client/types.ts';
import { type Family, fieldsOf, hasOp } from '../../../lib/contract/types.ts';
import { defined } from '../../../lib/defined.ts';
import { jsonOf, jsonText } from '../../../lib/json-text.ts';
import { endOf, isObject, isOverloaded, isSuccess, type JsonObject, recordOf } from '../../../lib/wire/answer.ts';
import type { CheckContext, Fixture } from '../check.ts';
import { showsAtOnce } from '../delay.ts';
import { isNumbered, nameMember, rangedMembers, rangeOf, textMember } from '../fields.ts';
import { shrink } from '../shrink.ts';
import { LONG, plainerTexts, SHORT, signsIn, sizedText, valueWords } from '../text-words.ts';
import { boundOf, steadyBoundOf, type Threshold, thresholdWords } from '../threshold.ts';
import { idGiven } from './fixture.ts';
import { isNumberListed } from './write-attempt.ts';
import { xmlRecords } from './xml-record.ts';

const MOST_TRIES = 12;

export function bodyOf({ request: { body = '' } }: Exchange): JsonObject | undefined {
  const json = jsonOf(body);
  const [record] = isObject(json) ? Object.values(json) : [];
  return isObject(record) ? record : undefined;
}

export interface Written {
  readonly fixtures: readonly Pick<Fixture, 'family' | 'id' | 'sent'>[];
  readonly writes: readonly Exchange[];
  readonly isUpdated?: true;
}

type Trial = ReturnType<typeof trialOf>;

/** Requests on records made for them; with a member, writes fail if a read shows it otherwise than sent, and deletes if they leave it. */
function trialOf({ send, payload }: CheckContext, op: Exchange['request']['op'], family: Family, member?: string) {
  const { name: on } = family;
  const isRefused = (answer: Exchange) => {
    // An answer that tells nothing of the request ends the search.
    if (isOverloaded(answer)) throw new Error('overloaded');
    return !isSuccess(answer);
  };
  /** True if it fails: a create with the members over the usual ones, an update with them, any other after such a create, and an update of that; `made`: what the record has in place of usual values. */
  const fails = async (over: JsonObject, updated?: JsonObject, made?: JsonObject): Promise<boolean> => {
    const fields = payload({ ...made, ...(op === 'update' ? {} : over) }, on);
    const created = await send('create', { fields }, on);
    if (op === 'create' && member === undefined && isRefused(created)) return true;
    const id = idGiven(created, family, fields);
    if (id === undefined) throw new Error('no record to try on');
    const put = (changes: JsonObject) => send('update', { id, fields: { ...fields, ...changes, id } }, on);
    // Without it the request would tell nothing of what came before.
    if (updated !== undefined && isRefused(await put(updated))) throw new Error('no update to try on');
    const answer = op === 'create' ? created : op === 'update' ? await put(over) : await send(op, { id }, on);
    const shown = member === undefined ? undefined : recordOf(await send('read', { id }, on))?.[member];
    const isWrong =
      member === undefined || op === 'delete'
        ? isRefused(answer) || shown !== undefined
        : jsonText(shown) !== jsonText({ ...fields, ...over }[member]);
    // A record that cannot be deleted as it is may be with what a usual one holds.
    if (op === 'delete' && member === undefined && isWrong) await put(payload({}, on));
    if (op !== 'delete' || isWrong) await send('delete', { id }, on);
    return isWrong;
  };
  return { family, usual: () => payload({}, on), op, about: member, fails };
}

const isForeign = (text: string): boolean => /^\P{ASCII}+$/u.test(text.replace(/[A-Za-z0-9]/g, ''));

/** Which of the members of a body a request fails for, as clauses. */
async function ofMembers(trial: Trial, body: JsonObject): Promise<readonly string[]> {
  const { family, usual: made, op, about } = trial;
  const usual = made();
  const name = nameMember(family) ?? 'name';
  const isSame = (member: string) => JSON.stringify(body[member]) === JSON.stringify(usual[member]);
  const isText = (member: string) => fieldsOf(family)[member]?.type === 'string';
  // Names and numbers differ in all records; a name may hold a sign, or be long, or be another one than before.
  const own = String(usual[name] ?? '');
  const given = String(body[name] ?? '');
  const signs = given.replace(/[A-Za-z0-9]/g, '');
  const isLong = given.length > LONG;
  const mark = signs === '' && !isLong ? '' : `a${signs}b`.padEnd(isLong ? given.length - own.length : 0, 'a');
  const differing = [...new Set([...Object.keys(body), ...Object.keys(usual)])].filter((member) =>
    member === name
      ? mark !== '' || (op === 'update' && name in body)
      : !isSame(member) && !isNumbered(family, member) && member !== 'link',
  );
  const over = (members: readonly string[], values: JsonObject = {}) =>
    Object.fromEntries(
      members.map((member) => [
        member,
        member === name ? `${made()[name]}${values[name] ?? mark}` : member in values ? values[member] : body[member],
      ]),
    );
  // Any update of a whole body may be a rename: that is tried if it does not fail without.
  const plain = differing.filter((member) => member !== name || mark !== '');
  const candidates = [plain, [name], differing].filter(
    (some, at) => some.length > 0 && (at === 0 || differing.length > plain.length),
  );
  let failing: readonly string[] | undefined;
  for (const some of candidates) if (failing === undefined && (await trial.fails(over(some)))) failing = some;
  if (failing === undefined) return [];
  const needed = await shrink(failing, (some) => trial.fails(over(some)), MOST_TRIES);
  const values: Record<string, unknown> = {};
  const bounds = new Map<string, Threshold | undefined>();
  const foreign = new Set<string>();
  const fails = (member: string, value: unknown) => trial.fails(over(needed, { ...values, [member]: value }));
  for (const member of needed.filter((each) => isText(each) && body[each] !== undefined)) {
    const texts =
      member === name ? [...(mark === '' ? [] : ['']), ...plainerTexts(mark)] : plainerTexts(String(body[member]));
    for (const text of texts) if (values[member] === undefined && (await fails(member, text))) values[member] = text;
    const text = String(values[member] ?? (member === name ? mark : body[member]));
    const isFailing = async (sign: string) => text.includes(sign) || (await fails(member, `a${sign}b`));
    if (isForeign(text) && (await isFailing('é')) && (await isFailing('網'))) foreign.add(member);
    const before = member === name ? own.length : 0;
    if (text.length <= SHORT || (signsIn(text).length > 0 && text.length <= LONG)) continue;
    const isShown = (size: number) => fails(member, sizedText(text, size - before));
    bounds.set(member, await boundOf(before + text.length, [before + SHORT], isShown));
  }
  // Both sides once more: what comes and goes has no condition.
  if ((await trial.fails({})) || !(await trial.fails(over(needed, values)))) return [];
  return needed.flatMap((member) => {
    const value = values[member] ?? (member === name ? mark : body[member]);
    if (value === undefined) return [`${member} is left out`];
    if (member === name && value === '') return ['the record is renamed'];
    if (foreign.has(member)) return [`${member} holds a character that is not ASCII`];
    const [words] = valueWords(member, value, bounds.get(member));
    if (words === undefined && op === 'update') return member === about ? [] : [`${member} is changed`];
    return [member === 'id' ? 'the body holds an id' : (words ?? `${member} is ${JSON.stringify(value)}`)];
  });
}

/** From which number on of a record a request fails that fails on usual ones, as a clause. */
async function ofNumbers(context: CheckContext, { family, usual, fails }: Trial): Promise<readonly string[]> {
  for (const member of rangedMembers(family)) {
    const { low = 0, high = 0 } = rangeOf(fieldsOf(family)[member]) ?? {};
    const isShown = async (number: number) =>
      (await isNumberListed(context, family, member, number)) === false
        ? fails({}, undefined, { [member]: number })
        : undefined;
    const bound = await steadyBoundOf(Number(usual()[member]), [low, high], isShown);
    if (bound !== undefined) return [`${member} is ${thresholdWords(bound)}`];
  }
  return [];
}

/** Which update of a record before a request, of `over` if it is one, makes that fail, as a clause: any, or one that renames it. */
async function ofUpdate({ family, usual, op, about, fails }: Trial, over: JsonObject = {}, made?: JsonObject) {
  // Each record that cannot be deleted would be left; what a delete left without a word, another one may take.
  if (op === 'delete' && about === undefined) return ['the record was updated before'];
  const name = nameMember(family) ?? 'name';
  const text = textMember(family);
  const other = text === undefined || text === name ? {} : { [text]: 'changed' };
  const told = (await fails(over, other, made))
    ? 'updated'
    : (await fails(over, { [name]: usual()[name] }, made))
      ? 'renamed'
      : undefined;
  return told === undefined || (await fails(over, undefined, made)) ? [] : [`the record was ${told} before`];
}

/** What about a record or the body of a write a request is refused for, as clauses; none if it is refused on plain records too, or if nobody knows. */
export async function ofRecord(context: CheckContext, exchange: Exchange, { fixtures, writes, ...known }: Written) {
  const { op, family: on, path } = exchange.request;
  const family = context.table[on];
  if (family === undefined || !hasOp(family, 'create') || !context.run.mayCreate(on)) return [];
  const trial = trialOf(context, op, family, isSuccess(exchange) ? 'id' : undefined);
  // The numbers of usual records are no other for the next check.
  if (await trial.fails({})) return context.run.shared(`numbers ${op} ${on}`, () => ofNumbers(context, trial));
  if (op === 'create' || op === 'update') {
    const body = bodyOf(exchange);
    return body === undefined ? [] : ofMembers(trial, op === 'update' ? without(body, 'id') : body);
  }
  const id = endOf(path) ?? '';
  const own = writes.filter(({ request }) => request.family === on);
  const isUpdated = known.isUpdated ?? own.some(({ request }) => request.op === 'update' && endOf(request.path) === id);
  const made = own.find((each) => each.request.op === 'create' && idGiven(each, family, bodyOf(each) ?? {}) === id);
  // What it holds now, if that is not what cannot be read.
  const read = op !== 'read' && hasOp(family, 'read') ? await context.send('read', { id }, on) : undefined;
  const body = (read && recordOf(read)) ?? fixtures.find((each) => each.id === id)?.sent ?? (made && bodyOf(made));
  const told = body === undefined ? [] : await ofMembers(trial, without(body, 'id'));
  // One that holds the same and was not updated is taken.
  // A record that cannot be deleted is left: one of them tells of all.
  return told.length === 0 && isUpdated ? context.run.shared(`update ${op} ${on}`, () => ofUpdate(trial)) : told;
}

/** What about the body of a write a member is shown otherwise than it was sent for, as clauses; none if that is so on usual records too, or if nobody knows. */
export async function ofValue(
  context: CheckContext,
  { op, member }: { readonly op: 'create' | 'update'; readonly member: string },
  { writes }: Pick<Written, 'writes'>,
): Promise<readonly string[]> {
  const { family, run } = context;
  const isTriable = hasOp(family, 'create') && hasOp(family, 'read') && run.mayCreate() && showsAtOnce({ context });
  // Of a body in XML, the member alone is known to be as it was sent.
  const fieldsIn = (each: Exchange): JsonObject =>
    bodyOf(each) ?? defined({ [member]: xmlRecords(each.request.body ?? '')[0]?.[member] });
  const own = writes.filter((each) => each.request.family === family.name && member in fieldsIn(each));
  const at = own.findLastIndex(({ request }) => request.op === op);
  const [before, body] = [at - 1, at].map((place) => (place < 0 ? undefined : fieldsIn(own[place] as Exchange)));
  if (!isTriable || body === undefined) return [];
  const trial = trialOf(context, op, family, member);
  const usual = trial.usual()[member];
  if (usual !== undefined && (await trial.fails({ [member]: usual })))
    return run.shared(`numbers ${op} ${member} ${family.name}`, () => ofNumbers(context, trial));
  const told = await ofMembers(trial, without(body, 'id'));
  if (told.length > 0 || op !== 'update') return told;
  // No two records may have one number.
  if (isNumbered(family, member)) return ofUpdate(trial, { [member]: usual });
  return ofUpdate(trial, { [member]: body[member] }, before && { [member]: before[member] });
}

const without = (fields: JsonObject, member: string): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([each]) => each !== member));
