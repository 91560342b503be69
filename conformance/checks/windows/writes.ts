import type { Exchange } from '../../../lib/client/types.ts';
import { hasOp, type Op } from '../../../lib/contract/types.ts';
import { isForbidden, isSuccess } from '../../../lib/wire/answer.ts';
import { uriPart } from '../../../lib/wire/query.ts';
import type { RequestInput } from '../../../lib/wire/request.ts';
import { freeMembers, otherListed } from '../../kit/fields.ts';
import {
  binding,
  createFields,
  type Fields,
  flat,
  nameOf,
  nextValue,
  type Story,
  type StoryRecord,
  written,
} from './story.ts';

/** What a write came to. */
export interface Written {
  readonly answer: Exchange;
  /** The record that the windows look at, as the write left it. */
  readonly subject: StoryRecord;
  /** Members that it changed. */
  readonly changed: readonly string[];
}

/** One write of a story. */
export interface Write {
  /** Name of the result: what is written, and how. */
  readonly id: string;
  readonly op: Op;
  /** Undefined where there is nothing to write: the family lacks what it needs, or the target refuses the form. */
  readonly run: (story: Story, turn: number) => Promise<Written | undefined>;
}

type Format = 'json' | 'xml';

const live = (story: Story): readonly StoryRecord[] => story.records.filter(({ isLive }) => isLive);

function replace(story: Story, record: StoryRecord): StoryRecord {
  const at = story.records.findIndex(({ id }) => id === record.id);
  story.records[at] = record;
  return record;
}

/** Creates a record under a name of the story; in XML only members whose form is shown. */
async function create(story: Story, name: string, format: Format, turn: number): Promise<Written | undefined> {
  const { scope, family, context } = story;
  const whole = createFields(story, name, turn);
  const fields = format === 'xml' ? flat(family, whole) : whole;
  let answer: Exchange | undefined;
  if (format === 'json') {
    const own = await scope.fixture(whole);
    const record = { family: family.name, id: own.id, isLive: true, fields: binding(family, own.sent), former: {} };
    story.records.push(record);
    answer = await scope.send('read', { id: own.id });
    return { answer, subject: record, changed: Object.keys(record.fields) };
  }
  answer = await scope.send('create', { fields, format });
  if (!isSuccess(answer)) return undefined;
  const id = await story.findId(answer, name);
  if (id === undefined) return undefined;
  context.ledger.adopt(family.name, id, name);
  const record = { family: family.name, id, isLive: true, fields: binding(family, fields), former: {} };
  story.records.push(record);
  return { answer, subject: record, changed: Object.keys(record.fields) };
}

async function update(
  story: Story,
  record: StoryRecord,
  changes: Fields,
  input: RequestInput = {},
  listed: Fields = {},
): Promise<Written | undefined> {
  const { scope, family } = story;
  const whole = { ...record.fields, ...changes, ...listed, id: record.id };
  const fields = input.format === 'xml' ? flat(family, whole) : whole;
  const answer = await scope.send('update', { ...input, id: record.id, fields });
  const isRefused = answer.status >= 400 && answer.status < 500 && !isForbidden(answer);
  // A deployment may hold that what a portal is made for never changes.
  if (isRefused && Object.keys(listed).length > 0) return update(story, record, changes, input);
  // A header or a form that the target refuses is judged elsewhere: here only what it took counts.
  const isPlain = input.format !== 'xml' && input.headers === undefined;
  if (!isSuccess(answer)) return isPlain && !isForbidden(answer) ? { answer, subject: record, changed: [] } : undefined;
  return {
    answer,
    subject: replace(story, written(family, record, fields)),
    changed: Object.keys({ ...changes, ...listed }),
  };
}

/** Gives members of the newest live record other values; those whose values are listed only where the target takes that. */
function updateOf(story: Story, turn: number, members: readonly string[], input: RequestInput = {}) {
  const record = live(story).at(-1);
  if (record === undefined) return Promise.resolve(undefined);
  const changes = members.flatMap((member) => {
    const value = nextValue(story, member, turn, record.fields[member]);
    return value === undefined ? [] : [[member, value] as const];
  });
  const others = otherListed(story.family, record.fields);
  const listed = Object.fromEntries(Object.entries(others).filter(([member]) => members.includes(member)));
  if (changes.length + Object.keys(listed).length === 0) return Promise.resolve(undefined);
  return update(story, record, Object.fromEntries(changes), input, listed);
}

/** Members of an update but the name. */
const others = (story: Story) => freeMembers(story.family).filter((member) => member !== nameOf(story.family));

/** The free text that most writes change. */
const text = (story: Story) => [others(story).includes('description') ? 'description' : nameOf(story.family)];

async function remove(story: Story): Promise<Written | undefined> {
  const record = live(story).at(-1);
  if (record === undefined || !hasOp(story.family, 'delete')) return undefined;
  const answer = await story.scope.send('delete', { id: record.id });
  if (!isSuccess(answer)) return { answer, subject: record, changed: [] };
  return { answer, subject: replace(story, { ...record, isLive: false }), changed: Object.keys(record.fields) };
}

/** An update of a record that is no longer there: nothing may come of it. */
async function updateGone(story: Story, turn: number): Promise<Written | undefined> {
  const gone = story.records.findLast(({ isLive }) => !isLive);
  if (gone === undefined) return undefined;
  const changes = { ...gone.fields, [text(story)[0] as string]: `gone${turn} ${story.base}`, id: gone.id };
  const answer = await story.scope.send('update', { id: gone.id, fields: changes });
  return { answer: asTaken(answer), subject: gone, changed: text(story) };
}

/** An update with a body that is cut short: nothing may come of it. */
async function updateBroken(story: Story): Promise<Written | undefined> {
  const record = live(story).at(-1);
  if (record === undefined) return undefined;
  const { family, context } = story;
  const answer = await context.raw({
    ...{ family: family.name, op: 'update' as const, method: 'PUT', id: record.id },
    path: `/ers/config/${family.name}/${uriPart(record.id)}`,
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify({ [family.roots.resource ?? '']: { ...record.fields, id: record.id } }).slice(0, -2),
  });
  return { answer: asTaken(answer), subject: record, changed: text(story) };
}

/** A write that may be refused: only what it did is looked at. */
const asTaken = (answer: Exchange): Exchange => ({ ...answer, status: 200 });

const endings = 'abcdefghijkl';
const nextName = (story: Story) => `${story.base}${endings[story.records.length % endings.length]}`;
/** The name of the record that was removed last. */
const freedName = (story: Story) => {
  const gone = story.records.findLast(({ isLive }) => !isLive);
  return gone === undefined ? undefined : String(gone.fields[nameOf(story.family)]);
};

const onUpdate = (id: string, run: Write['run']): Write => ({ id, op: 'update', run });
const member = (format: Format) => (story: Story, turn: number) => updateOf(story, turn, others(story), { format });

/**
 * What a story writes, in order. Each kind comes again after others have gone before it: after a rename, a delete, a
 * refusal, in the other form, for the second time and for a later record.
 */
export const WRITES: readonly Write[] = [
  { id: 'create', op: 'create', run: (story, turn) => create(story, nextName(story), 'json', turn) },
  onUpdate('update', (story, turn) => updateOf(story, turn, text(story))),
  onUpdate('update-every-member', member('json')),
  onUpdate('rename', (story, turn) => updateOf(story, turn, [nameOf(story.family)])),
  onUpdate('update-refused', updateBroken),
  { id: 'delete', op: 'delete', run: remove },
  onUpdate('update-gone', updateGone),
  {
    id: 'create-same-name',
    op: 'create',
    run: async (story, turn) => {
      const name = freedName(story);
      return name === undefined ? undefined : create(story, name, 'json', turn);
    },
  },
  { id: 'create-xml', op: 'create', run: (story, turn) => create(story, nextName(story), 'xml', turn) },
  onUpdate('update-every-member-xml', member('xml')),
  onUpdate('rename-xml', (story, turn) => updateOf(story, turn, [nameOf(story.family)], { format: 'xml' })),
  onUpdate('update-without-accept', (story, turn) => updateOf(story, turn, text(story), { headers: { accept: null } })),
  onUpdate('update-without-type', (story, turn) =>
    updateOf(story, turn, text(story), { headers: { contentType: null } }),
  ),
];
