import { type Family, hasOp, type Op } from '../../../../lib/contract/types.ts';
import { defined } from '../../../../lib/defined.ts';
import { idOf, isForbidden, isSuccess, type JsonObject, recordOf } from '../../../../lib/wire/answer.ts';
import type { RequestInput } from '../../../../lib/wire/request.ts';
import { answerText, mustDecide } from '../../../kit/answer.ts';
import { holds } from '../../../kit/contains-subset.ts';
import type { About } from '../../../kit/fault.ts';
import { enumeratedMembers } from '../../../kit/fields.ts';
import { shown } from '../../../kit/record/record-reads.ts';
import { holdsLeaves, xmlRecords } from '../../../kit/record/xml-record.ts';
import type { Findings } from '../world/findings.ts';
import { truthOf } from '../world/truth.ts';
import type { Surveyed, World } from '../world/world.ts';
import type { Asked } from './list-ask.ts';
import { ladenInput, type Round } from './rounds.ts';

/** First member that an answer shows otherwise, or leaves out. */
function wrongMember(world: World, one: Surveyed, answered: JsonObject, form: 'json' | 'xml' | 'entry') {
  const truth = Object.entries(truthOf(world, one));
  const isOwn = one.home === world.family.name;
  // What a view calls the kind of a portal is not shown; real ones have words of their own.
  const hidden = isOwn ? [] : enumeratedMembers(world.context.table[one.home] as Family);
  return truth.find(([member, value]) => {
    if (hidden.includes(member)) return false;
    // An entry may leave members out, and a view those that it never shows.
    if (!(member in answered) && (form === 'entry' || (!isOwn && !(member in one.record)))) return false;
    return !(form === 'json' ? holds(answered[member], value) : holdsLeaves(answered[member], value));
  });
}

/** Records that a round reads: a dense text and the longest one; in the plain rounds also a text like a value of another type, and one with a past. */
function readOnes({ records, found }: World, { laden, pages }: Round): readonly Surveyed[] {
  if (records.length === 0) return found.slice(0, 2);
  const plain = laden || pages ? [] : [records[0], records.at(-2)];
  const picked = [...plain, records.at(-8), records.at(-1)];
  return [...new Set(picked)].filter((each) => each !== undefined);
}

async function readOne(world: World, one: Surveyed, input: RequestInput, out: Findings): Promise<void> {
  const { scope, family } = world;
  const isXml = input.headers?.accept !== undefined;
  const answer = await scope.send('read', { ...input, id: one.id });
  if (isForbidden(answer)) mustDecide(answer);
  const xml = isXml ? xmlRecords(answer.body).find(({ id }) => id === one.id) : undefined;
  const record = isXml ? xml : recordOf(answer);
  const fail = (expected: string, observed: string, about: Pick<About, 'kind' | 'subject'>) =>
    out.add('reads', {
      expected,
      observed: observed.slice(0, 400),
      about: { ...about, operation: 'read' },
      requirement: isXml ? 'CNV-XML' : `OP-${family.name}-R`,
      exchanges: [answer],
    });
  if (!isSuccess(answer) || record === undefined || idOf(record) !== one.id)
    return fail(`a read of ${one.id}${isXml ? ' in XML' : ''}`, answerText(answer), {
      kind: isSuccess(answer) ? 'value' : 'refused',
      subject: 'record',
    });
  const wrong = wrongMember(world, one, record, isXml ? 'xml' : 'json');
  if (wrong === undefined) return out.held('reads');
  const [member, value] = wrong;
  fail(`${member} ${shown(value)} in a read${isXml ? ' in XML' : ''}`, shown(record[member]), {
    kind: record[member] === undefined ? 'missing' : 'value',
    subject: `member ${member}`,
  });
}

/** A read of a record that is gone: it shows nothing, and no other record. */
async function readGone({ scope, gone }: World, round: Round, out: Findings, input: RequestInput): Promise<void> {
  const id = gone.at(-1);
  if (id === undefined) return;
  const answer = await scope.send('read', { ...input, id });
  const record = isSuccess(answer) ? recordOf(answer) : undefined;
  if (record === undefined) return;
  out.add('reads', {
    expected: `no record under ${id}, which was deleted${round.after === 'none' ? '' : `, after a ${round.after}`}`,
    observed: answerText(answer),
    about: { kind: 'accepted', operation: 'read', subject: 'record' },
    requirement: 'NEG-404',
    exchanges: [answer],
  });
}

/** Reads in JSON and, where it is answered, in XML: each shows what was sent. */
export async function lookAtReads(world: World, round: Round, out: Findings): Promise<void> {
  const { family, context } = world;
  if (!hasOp(family, 'read')) return;
  const laden = ladenInput(round, world, 'read');
  const takesXml = String(context.run.dialect('xml.response')).includes('xml');
  const inXml: RequestInput = { ...laden, headers: { ...laden.headers, accept: 'application/xml' } };
  for (const one of readOnes(world, round)) {
    if (!out.isOpen('reads')) return;
    await Promise.all([readOne(world, one, laden, out), ...(takesXml ? [readOne(world, one, inXml, out)] : [])]);
  }
  await readGone(world, round, out, laden);
}

/** Entries of a list in JSON and XML show of each record what it holds. */
export async function lookAtEntries(
  world: World,
  plain: Asked | undefined,
  round: Round,
  out: Findings,
): Promise<void> {
  const { scope, selects, context } = world;
  const byId = new Map([...world.records, ...world.found].map((record) => [record.id, record]));
  const judge = (items: readonly JsonObject[], form: 'JSON' | 'XML', exchanges: Asked['exchanges']) => {
    for (const item of items) {
      const one = byId.get(String(item['id']));
      const wrong = one === undefined ? undefined : wrongMember(world, one, item, 'entry');
      if (wrong === undefined) continue;
      const [member, value] = wrong;
      return out.add('reads', {
        expected: `${member} ${shown(value)} in the entry of ${one?.id} in ${form}`,
        observed: shown(item[member]),
        about: {
          kind: item[member] === undefined ? 'missing' : 'value',
          operation: 'list',
          subject: `member ${member}`,
        },
        requirement: 'LIST-GET',
        exchanges,
      });
    }
    out.held('reads');
  };
  if (plain !== undefined)
    judge(
      plain.items.map(({ id, record }) => ({ ...record, id })),
      'JSON',
      plain.exchanges,
    );
  if (round.pages || !String(context.run.dialect('xml.response')).includes('xml')) return;
  const laden = ladenInput(round, world);
  const list = { size: 50, ...defined({ filters: selects && [selects] }) };
  const answer = await scope.send('list', {
    ...laden,
    list,
    headers: { ...laden.headers, accept: 'application/xml' },
  });
  if (isForbidden(answer)) mustDecide(answer);
  const items = xmlRecords(answer.body);
  const expected = Math.min(world.records.length, selects === undefined ? 0 : 1);
  if (isSuccess(answer) && items.length >= expected) return judge(items, 'XML', [answer]);
  out.add('reads', {
    expected: 'a list in XML',
    observed: answerText(answer),
    about: {
      kind: isSuccess(answer) ? 'records' : 'refused',
      operation: 'list',
      subject: 'media type application/xml',
    },
    requirement: 'CNV-XML',
    exchanges: [answer],
  });
}

/** Operations that no record is needed for: each answers as it did the first time. */
export async function lookAtOthers(world: World, round: Round, out: Findings): Promise<void> {
  const { scope, family, records, found } = world;
  const ask = async (op: Op, input: RequestInput, isRight: (record: JsonObject | undefined) => boolean) => {
    if (!hasOp(family, op) || !out.isOpen('operations')) return;
    const answer = await scope.send(op, { ...ladenInput(round, world, op), ...input });
    if (isForbidden(answer)) mustDecide(answer);
    if (isSuccess(answer) && isRight(recordOf(answer))) return out.held('operations');
    out.add('operations', {
      expected: `${op} to be answered${round.laden ? ' with a further parameter' : ''}`,
      observed: answerText(answer),
      about: { kind: isSuccess(answer) ? 'value' : 'refused', operation: op, subject: 'request' },
      requirement: `OP-${family.name}-${op === 'version' ? 'V' : 'RN'}`,
      exchanges: [answer],
    });
  };
  if (!round.pages) await ask('version', {}, () => true);
  const named = [...records, ...found].find(({ record }) => typeof record['name'] === 'string');
  if (named !== undefined)
    await ask('readByName', { name: String(named.record['name']) }, (record) => idOf(record) === named.id);
}
