import { isTaken } from '../kit/anc.ts';
import { OF_ROWS, STANDING } from '../kit/anc-places.ts';
import { endpointIn } from '../model/anc.ts';
import type { End } from '../model/history.ts';
import { bodyOf } from '../steps/anc.ts';
import { askEndpoints, endpointOf, lookAtEndpoints, noteAnc } from './endpoints.ts';
import type { Session } from './session.ts';

const CLEARS = 3;

type Endpoint = Pick<ReturnType<typeof endpointOf>, 'address' | 'macAddress'>;

/** Clears endpoints: in one request if a look has shown that the target clears several, else each by itself. */
async function clearAll(session: Session, endpoints: readonly Endpoint[]): Promise<void> {
  const { context, lessons } = session;
  const inOne = lessons.taken.has('all clear') ? endpoints : endpoints.slice(0, 1);
  const left = endpoints.slice(inOne.length);
  if (inOne.length === 0) return;
  let end: End = 'unknown';
  try {
    const answer = await context.send('clear', bodyOf('clear-by-mac', inOne));
    end = isTaken(context, 'clear', answer) ? 'done' : 'refused';
  } catch {
    // What is not known to be cleared is cleared again at the end of the run.
  }
  for (const { address } of inOne) noteAnc(session, { kind: 'clear', address, end });
  if (end === 'refused' && inOne.length > 1) for (const each of inOne) await clearAll(session, [each]);
  return clearAll(session, left);
}

const isHeld = ({ anc }: Session, { address }: Endpoint): boolean =>
  anc.holdings.has(address) && anc.holdings.get(address)?.policy !== null;

const endpoints = (session: Session, from: number, count: number): readonly Endpoint[] =>
  Array.from({ length: count }, (_, at) => endpointOf(session, from + at));

/** Those that hold a policy of the session. A pool that is too small for rows has none, and its endpoints have no numbers. */
const heldAmong = (session: Session, from: number, count: number): readonly Endpoint[] =>
  session.anc.holdings.size === 0 ? [] : endpoints(session, from, count).filter((each) => isHeld(session, each));

const heldOfRows = (session: Session): readonly Endpoint[] => heldAmong(session, 0, OF_ROWS);

/** Clears what a sequence applied, and looks: a clear has to work whatever was done before. Throws `DifferenceFound`. */
export async function leaveEndpoints(session: Session): Promise<void> {
  if (heldOfRows(session).length === 0) return;
  await clearAll(session, heldOfRows(session));
  await lookAtEndpoints(session);
}

/** Clears what a sequence applied; after a difference, all that is on endpoints of the run that should hold nothing. Never throws. */
export async function clearEndpoints(session: Session): Promise<void> {
  if (session.context.run.endpoints === undefined) return;
  if (session.anc.isOff) {
    // An apply that no look showed may still take effect, behind its clear.
    session.context.ledger.givesUp(session.context.family.name);
    await restore(session);
  }
  await clearAll(session, heldOfRows(session));
  session.anc.turn += 1;
}

/** Brings the endpoints back to what rows begin with, and takes what is there for what they hold. */
async function restore(session: Session): Promise<void> {
  const { anc } = session;
  const standing = new Set(endpoints(session, OF_ROWS, STANDING).map(({ address }) => address));
  // The last round looks only.
  for (let round = 0; round <= CLEARS; round += 1) {
    for (const address of anc.holdings.keys()) anc.touched.add(address);
    const seen = await askEndpoints(session).catch(() => undefined);
    if (seen === undefined) return;
    const entries = seen.shown.pages.flat().map(endpointIn);
    const held = new Map(entries.map((each) => [each.address ?? '', each]));
    const isWrong = (address: string) => seen.ours.includes(address) && !standing.has(address);
    const wrong = [...held].flatMap(([address, { text = '', policy }]) =>
      policy !== undefined && isWrong(address) ? [{ address, macAddress: text }] : [],
    );
    for (const address of new Set([...anc.holdings.keys(), ...wrong.map((each) => each.address)])) {
      const policy = held.get(address)?.policy;
      noteAnc(session, { kind: policy === undefined ? 'clear' : 'apply', address, policy, end: 'done' });
    }
    anc.isStuck = wrong.length > 0;
    if (!anc.isStuck) break;
    if (round < CLEARS) for (const each of wrong) await clearAll(session, [each]);
  }
  anc.touched.clear();
  anc.isOff = false;
}

/** Clears every endpoint of the session. Never throws. */
export async function releaseEndpoints(session: Session): Promise<void> {
  await clearEndpoints(session);
  await clearAll(session, heldAmong(session, OF_ROWS, STANDING));
}
