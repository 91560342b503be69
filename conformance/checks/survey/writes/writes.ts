import { hasOp } from '../../../../lib/contract/types.ts';
import { answerText } from '../../../kit/answer.ts';
import type { Findings, Topic } from '../world/findings.ts';
import type { World } from '../world/world.ts';
import { type Chronicle, chronicleOf, create, type Held, remove, type Told, update } from './chronicle.ts';
import { lookAround, type Neighbors, neighborsOf, type Unexplained } from './chronicle-looks.ts';
import { REFUSALS, sendRefused } from './refusals.ts';

/** The write that comes before the one that is looked at. */
type State = 'delete' | 'failed' | 'rename';
type WriteTopic = Extract<Topic, 'create' | 'update' | 'delete'>;

/** One kind of write that is looked at after each state. */
interface Step {
  readonly topic: WriteTopic;
  readonly run: (tale: Tale) => Promise<readonly (Told | undefined)[]>;
}

/** A chronicle on its way: which records the steps write to. */
interface Tale {
  readonly chronicle: Chronicle;
  /** Records that are updated time after time. */
  readonly actors: string[];
  refusals: number;
}

const PAYLOADS = { create: 'PAY-C', update: 'PAY-U' } as const;
const CODES: Readonly<Record<WriteTopic, string>> = { create: 'C', update: 'U', delete: 'D' };

const heldOf = ({ held }: Chronicle, id: string | undefined): Held | undefined =>
  id === undefined ? undefined : held.get(id);

/** A record that is not written to otherwise, to be removed. */
function victimOf({ chronicle, actors }: Tale): Held | undefined {
  return [...chronicle.held.values()].find(({ id, isLive }) => isLive && !actors.includes(id));
}

async function remove1(tale: Tale): Promise<Told | undefined> {
  const victim = victimOf(tale);
  return victim === undefined ? undefined : remove(tale.chronicle, victim);
}

async function updateActor({ chronicle, actors }: Tale, at: number, form: 'json' | 'xml', isRenamed = false) {
  const one = heldOf(chronicle, actors[at]);
  return one === undefined ? undefined : update(chronicle, one, form, isRenamed);
}

/** A create under the name of a record that is gone, where one is. */
const again = ({ chronicle }: Tale) => create(chronicle, 'json', chronicle.freed.shift());

const CREATES: readonly Step[] = [
  { topic: 'create', run: async (tale) => [await again(tale)] },
  { topic: 'create', run: async ({ chronicle }) => [await create(chronicle, 'xml')] },
];
const UPDATES: readonly Step[] = [
  { topic: 'update', run: async (tale) => [await updateActor(tale, 0, 'json')] },
  { topic: 'update', run: async (tale) => [await updateActor(tale, 1, 'xml', true)] },
];
const REMOVES: readonly Step[] = [{ topic: 'delete', run: async (tale) => [await remove1(tale)] }];
const PARALLEL: readonly Step[] = [
  { topic: 'create', run: ({ chronicle }) => Promise.all([create(chronicle, 'json'), create(chronicle, 'json')]) },
  { topic: 'update', run: (tale) => Promise.all([updateActor(tale, 2, 'json'), updateActor(tale, 3, 'json')]) },
];

async function bringAbout(tale: Tale, state: State): Promise<void> {
  if (state === 'delete') await remove1(tale);
  else if (state === 'rename') await updateActor(tale, 4, 'json', true);
  else await refuse(tale);
}

async function refuse(tale: Tale): Promise<void> {
  const { chronicle, actors } = tale;
  const kind = REFUSALS[tale.refusals % REFUSALS.length];
  tale.refusals += 1;
  const one = heldOf(chronicle, actors[5]);
  if (kind !== undefined && one !== undefined) await sendRefused(chronicle, kind, one);
}

const subjectsOf = (told: readonly (Told | undefined)[]): readonly Held[] =>
  told.flatMap((each) => (each !== undefined && 'held' in each ? [each.held] : []));

/** Steps one after the other, each after the state, and then a look at all they wrote. */
async function tell(tale: Tale, state: State, steps: readonly Step[], neighbors: Neighbors, out: Findings) {
  const { chronicle } = tale;
  const { family } = chronicle.world;
  const written = new Map<string, WriteTopic>();
  const requirement = (topic: WriteTopic, where: Unexplained['where'] = 'presence') => {
    if (where === 'entry') return 'LIST-GET';
    return where === 'presence' || topic === 'delete' ? `OP-${family.name}-${CODES[topic]}` : PAYLOADS[topic];
  };
  let last: WriteTopic | undefined;
  for (const step of steps) {
    if (!hasOp(family, step.topic)) continue;
    await bringAbout(tale, state);
    const told = await step.run(tale);
    for (const { id } of subjectsOf(told)) written.set(id, step.topic);
    last = step.topic;
    for (const each of told) {
      if (each === undefined || !('refused' in each)) continue;
      out.add(step.topic, {
        expected: `the ${step.topic} taken after a ${state === 'failed' ? 'refused request' : state}`,
        observed: answerText(each.refused),
        about: { kind: 'refused', operation: step.topic, subject: 'request' },
        requirement: requirement(step.topic),
        exchanges: [each.refused],
      });
      return false;
    }
  }
  if (last === undefined) return true;
  const subjects = [...written.keys()].flatMap((id) => heldOf(chronicle, id) ?? []);
  const found = await lookAround(chronicle, subjects, neighbors);
  if (found === undefined) {
    for (const topic of new Set(written.values())) out.held(topic);
    return true;
  }
  const topic = (found.id === undefined ? undefined : written.get(found.id)) ?? last;
  out.add(topic, {
    ...found,
    about: { ...found.about, operation: topic },
    requirement: requirement(topic, found.where),
  });
  return false;
}

const STATES: readonly State[] = ['delete', 'failed', 'rename'];
const ACTORS = 6;

/** Each kind of write after each state, in JSON and XML and two at a time; after some of them everything is looked at. */
export async function surveyWrites(world: World, out: Findings): Promise<void> {
  const { family, context } = world;
  if (!hasOp(family, 'create') || !hasOp(family, 'read') || !context.run.mayCreate()) return;
  const chronicle = chronicleOf(world);
  const live = [...chronicle.held.keys()];
  const tale: Tale = { chronicle, actors: live.slice(-ACTORS), refusals: 0 };
  const neighbors = await neighborsOf(chronicle);
  for (const state of STATES.filter((each) => each !== 'rename' || hasOp(family, 'update'))) {
    for (const steps of [[...CREATES, ...UPDATES], REMOVES, PARALLEL])
      if (!(await tell(tale, state, steps, neighbors, out))) return;
    if (state === 'failed') continue;
    // Refusals themselves, each after the state: whatever is refused changes nothing.
    const refused: Step = { topic: 'update', run: async () => [await refuse(tale).then(() => undefined)] };
    const steps = REFUSALS.map(() => ({ ...refused, topic: hasOp(family, 'update') ? 'update' : 'delete' }) as Step);
    if (!(await tell(tale, state, steps, neighbors, out))) return;
  }
}
