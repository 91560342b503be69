import { defined } from '../../lib/defined.ts';
import { idOf, isSuccess, recordOf as recordIn } from '../../lib/wire/answer.ts';
import { firstStanding, freshPlace, LEAST_POOL, OF_ROWS, placesOf } from '../kit/anc-places.ts';
import { addressOf, withColons } from '../model/address.ts';
import { type AncWrite, afterAnc, endpointIn, isOfCleared, judgeEndpoints } from '../model/anc.ts';
import { type Fields, keyOf } from '../model/history.ts';
import type { EndpointsObservation, ListObservation, ShownEntry } from '../model/observation.ts';
import { PLAIN } from '../steps/step.ts';
import { type Asked, askList } from './ask.ts';
import { NotDone, note, raise, type Session } from './session.ts';
import { settled } from './settle.ts';

/** Has the next sequences begin with an endpoint that no request has named. False if there is none left. */
export function takeFresh({ context: { run }, anc }: Session): boolean {
  const { pool } = run.endpoints ?? {};
  anc.fresh = pool && freshPlace(pool);
  return anc.fresh !== undefined;
}

/** An endpoint of the middle of the pool, by its number: other checks have its beginning and its end. */
export function endpointOf({ context: { run }, anc }: Session, number: number) {
  const { pool } = run.endpoints ?? {};
  if (pool === undefined || pool.size < LEAST_POOL) throw new NotDone('the pool has too few endpoints');
  const ofRow = number < OF_ROWS ? placesOf(pool)[(number + anc.turn) % OF_ROWS] : undefined;
  const fresh = number === 0 ? anc.fresh : undefined;
  const endpoint = pool.at(fresh ?? ofRow ?? firstStanding(pool) + number - OF_ROWS);
  return { ...endpoint, address: addressOf(endpoint.macAddress) ?? endpoint.macAddress };
}

/** Takes an apply or a clear into the history. What becomes of the id of the record is the target's own. */
export function noteAnc(session: Session, write: AncWrite): void {
  const { anc, book } = session;
  anc.touched.add(write.address);
  if (write.end === 'refused') return;
  anc.history.push(write);
  const holding = afterAnc(anc.holdings.get(write.address), write);
  if (holding !== undefined) anc.holdings.set(write.address, holding);
  for (const { id, fields, isLive } of [...book.values()]) {
    const shown = anc.read.get(id) ?? fields;
    const isOf = [shown['macAddress'], shown['name']].some((text) => addressOf(text) === write.address);
    const isCleared = write.kind === 'clear' && write.end === 'done';
    if (isOf && isCleared) anc.cleared.add(id);
    // What was cleared before may be there again under its id.
    if (isOf && !(isCleared && isLive === false)) noteRecord(session, id, isCleared);
  }
}

/** What became of the record of an endpoint: gone, or not known until it is seen again. */
function noteRecord(session: Session, id: string, isGone: boolean): void {
  const { book, context } = session;
  const family = context.family.name;
  const key = keyOf(family, id);
  const { policyName: _, ...held } = book.get(key)?.fields ?? {};
  // What an apply made of it, its name included, is not known until it is read.
  const fields = isGone ? held : {};
  const [kind, end] = isGone ? (['delete', 'done'] as const) : (['create', 'unknown'] as const);
  note(session, { kind, family, id, sent: {}, form: 'json', end });
  const known = book.get(key);
  if (known !== undefined) book.set(key, { ...known, fields });
}

/** Address of the endpoint that was cleared last, as the target writes it if a record has shown that. */
export function goneAddress({ anc, book }: Session): string | undefined {
  const { address } = anc.history.findLast((write) => anc.holdings.get(write.address)?.policy === null) ?? {};
  const texts = [...book.values()].map(({ fields }) => fields['macAddress']);
  const shown = texts.find((text) => address !== undefined && addressOf(text) === address);
  return typeof shown === 'string' ? shown : address && withColons(address);
}

async function readEndpoint({ context }: Session, id: string): Promise<Fields | undefined> {
  const answer = await context.send('read', { id });
  const record = isSuccess(answer) ? recordIn(answer) : undefined;
  return record !== undefined && idOf(record) === id ? record : undefined;
}

/** The list with a read of each record whose endpoint was cleared. */
export async function withCleared<Seen extends ListObservation>(session: Session, seen: Seen): Promise<Seen> {
  const { holdings } = session.anc;
  const told = async (entry: ShownEntry) => {
    if (!isOfCleared(holdings, seen.question, entry)) return entry;
    return { ...entry, ...defined({ read: await readEndpoint(session, entry.id) }) };
  };
  const pages = await Promise.all(seen.shown.pages.map((page) => Promise.all(page.map(told))));
  return { ...seen, shown: { ...seen.shown, pages } };
}

/** Asks for the whole list, and reads the records that are new or were written to. */
export async function askEndpoints(session: Session): Promise<EndpointsObservation & Asked> {
  const { context, anc } = session;
  const family = context.family.name;
  const all = { window: 'list', family, filters: [], size: 100 } as const;
  const { shown, meanwhile } = await askList(session, all, { paging: 'link', carried: PLAIN });
  const complete = async (entry: ShownEntry): Promise<ShownEntry> => {
    if (anc.others.has(entry.id)) return { ...entry, read: {} };
    const kept = anc.read.get(entry.id);
    const { address } = endpointIn({ ...entry, read: kept });
    const isKept = kept !== undefined && address !== undefined && !anc.touched.has(address);
    const read = isKept ? kept : await readEndpoint(session, entry.id);
    if (read !== undefined) anc.read.set(entry.id, read);
    return { ...entry, ...defined({ read }) };
  };
  const pages: ShownEntry[][] = [];
  for (const page of shown.pages) pages.push(await Promise.all(page.map(complete)));
  // Endpoints of the pool that nobody else in the run names: what appears on one of them came from these requests.
  const named = new Set(context.ledger.applied().map((address) => addressOf(address) ?? address));
  const { pool } = context.run.endpoints ?? {};
  const isOurs = (address: string, text: string) =>
    anc.holdings.has(address) || (pool?.indexOf(text) !== undefined && !named.has(address));
  const shownEndpoints = pages.flat().map(endpointIn);
  const ours = shownEndpoints.flatMap(({ address, text }) =>
    address && text && isOurs(address, text) ? [address] : [],
  );
  return { question: { window: 'endpoints', family }, shown: { ...shown, pages }, ours, meanwhile };
}

/** Takes what a look has shown of endpoints with a policy for the records that further looks are judged by. */
function learn(session: Session, { shown: { pages } }: EndpointsObservation): void {
  const { anc, book, labels, context } = session;
  const family = context.family.name;
  const numbers = new Map(
    Array.from({ length: OF_ROWS }, (_, number) => [endpointOf(session, number).address, number]),
  );
  for (const entry of pages.flat()) {
    const { address = '', text } = endpointIn(entry);
    const { policy } = anc.holdings.get(address) ?? {};
    const key = keyOf(family, entry.id);
    const number = numbers.get(address);
    if (number !== undefined) labels.set(number === 0 ? 'subject' : `endpoint ${number}`, key);
    if (typeof policy !== 'string') continue;
    const { name, macAddress, policyName } = entry.read ?? {};
    const sent: Fields = defined({
      name: typeof name === 'string' && name !== '' ? name : undefined,
      macAddress: macAddress === undefined ? undefined : text,
      policyName: policyName === undefined ? undefined : policy,
    });
    anc.cleared.delete(entry.id);
    const known = book.get(key);
    if (known?.isLive !== true || JSON.stringify(known.fields) !== JSON.stringify(sent))
      note(session, { kind: 'create', family, id: entry.id, sent, form: 'json', end: 'done' });
  }
  // Records whose endpoint has another one now, or none.
  const listed = new Set(pages.flat().map(({ id }) => id));
  for (const known of [...book.values()])
    if (known.family === family && known.isLive === undefined && !listed.has(known.id))
      noteRecord(session, known.id, true);
}

async function settledEndpoints(session: Session) {
  let last: EndpointsObservation | undefined;
  const found = await settled(session, async () => (last = await askEndpoints(session)));
  return [found?.difference, last ?? (await askEndpoints(session))] as const;
}

/** Looks which endpoints hold which policies, and ends the sequence if that is not what the applies and clears left. */
export async function lookAtEndpoints(session: Session): Promise<void> {
  const { anc } = session;
  let [found, last] = await settledEndpoints(session);
  const isOld = ({ shown: { pages } }: EndpointsObservation) => pages.flat().some(({ id }) => anc.cleared.has(id));
  if (found === undefined && !anc.reusesIds && isOld(last)) {
    // The record of a policy that was cleared, and is to go, or that of the policy which was applied since.
    const isGone = await session.eventually(async () => (isOld(await askEndpoints(session)) ? undefined : true));
    if (isGone === undefined) anc.reusesIds = true;
    [found, last] = await settledEndpoints(session);
  }
  if (last.shown.end !== 'whole') throw new NotDone('the list is not read to its end');
  anc.isOff = found !== undefined || judgeEndpoints(anc.holdings, last) !== undefined;
  if (found !== undefined) raise(session, found);
  // A difference that is known already: nothing can be learned from what is shown, and later looks lay it to the same writes.
  if (anc.isOff) throw new NotDone('the endpoints are not as they were left');
  anc.touched.clear();
  learn(session, last);
}
