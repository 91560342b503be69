import { fieldsOf } from '../../lib/contract/types.ts';
import { isSuccess, recordOf as recordIn } from '../../lib/wire/answer.ts';
import { NotDone, note, offers, raise, recordToWrite, type Session } from '../driver/session.ts';
import { isNumbered } from '../kit/fields.ts';
import type { Fields, Known } from '../model/history.ts';
import { freshName } from './names.ts';
import { PLAIN, type StepOf } from './step.ts';
import { update } from './update.ts';

/** Readers of the record meanwhile, and the reads of each at most: a torn version may stand for a moment only. */
const READERS = 4;
const READS = 20;

const textOf = (fields: Fields, members: readonly string[]) => JSON.stringify(members.map((member) => fields[member]));

/** Bodies that differ at both ends, so that a version that is written in parts shows. */
function versionsOf(session: Session, { fields: held }: Known, members: readonly string[], sets: readonly Fields[]) {
  const { context } = session;
  const [last = ''] = members.slice(-1);
  return sets.map((set) => {
    const isFree = (member: string) => !members.includes(member) && !isNumbered(context.family, member);
    const rest = Object.entries(set).filter(([member]) => isFree(member));
    const text = freshName(session);
    const marked = context.run.values.adaptAll(Object.fromEntries(members.map((member) => [member, text])));
    const { [last]: end, ...others } = { ...held, ...Object.fromEntries(rest), ...marked };
    return { ...others, [last]: end };
  });
}

function readers({ context }: Session, id: string) {
  let isOpen = true;
  const seen: Fields[] = [];
  const read = async () => {
    for (let turn = 0; isOpen && turn < READS; turn += 1) {
      const exchange = await context.send('read', { id });
      const record = isSuccess(exchange) ? recordIn(exchange) : undefined;
      if (record !== undefined) seen.push(record);
    }
  };
  const done = Promise.all(Array.from({ length: READERS }, read)).then(() => seen);
  const stop = () => {
    isOpen = false;
  };
  return { stop, seen: done };
}

/** Updates and reads one record over several connections: each read shows one whole version. Source: "Service-level requirements". */
export async function race(session: Session, { who, sets }: StepOf<'race'>): Promise<void> {
  const { context } = session;
  const family = context.family.name;
  const known = recordToWrite(session, who);
  const { id } = known;
  const members = Object.entries(fieldsOf(context.family)).flatMap(([member, { type, form }]) => {
    const isText = type === 'string' && form === undefined && typeof known.fields[member] === 'string';
    return isText && member !== 'id' ? [member] : [];
  });
  if (members.length < 2 || !offers(session, 'update') || known.isLive !== true)
    throw new NotDone('nothing to race for');
  const versions = versionsOf(session, known, members, sets);
  const before = recordIn(await context.send('read', { id })) ?? {};
  const allowed = new Set([before, ...versions].map((fields) => textOf(fields, members)));
  const reading = readers(session, id);
  const send = (fields: Fields) => context.send('update', { id, fields: { ...fields, id } });
  const answers = await Promise.all(versions.map(send)).finally(reading.stop);
  const mixed = (await reading.seen).find((fields) => !allowed.has(textOf(fields, members)));
  const done = versions.filter((_, at) => answers[at] !== undefined && isSuccess(answers[at]));
  const write = { kind: 'update', family, id, form: 'json' } as const;
  const about = { kind: 'value', operation: 'update', subject: 'parallel requests' } as const;
  if (mixed !== undefined)
    raise(session, {
      ...{ requirement: 'ATOM-1', about: { ...about, operation: 'read' }, family },
      expected: `one of ${[...allowed].join(', ')}`.slice(0, 300),
      observed: textOf(mixed, members),
    });
  if (done.length === 0) throw new NotDone('no update is taken');
  const stayed = await context.eventually(async () => {
    const record = recordIn(await context.send('read', { id }));
    return done.find((fields) => record !== undefined && textOf(record, members) === textOf(fields, members));
  });
  note(session, { ...write, sent: stayed ?? versions[0] ?? {}, end: stayed === undefined ? 'unknown' : 'done' });
  if (stayed === undefined)
    raise(session, {
      ...{ requirement: done.length === 1 ? 'PAY-U' : 'ATOM-1', about, family },
      expected: 'one of the versions that were sent, as a whole',
      observed: 'none of them',
    });
  // If writes show late, another of the versions may still come: the record goes on from an update of its own.
  await update(session, { step: 'update', who, name: { fresh: '' }, set: {}, form: 'json', carried: PLAIN });
}
