import type { Exchange } from '../../lib/client/types.ts';
import { isSuccess } from '../../lib/wire/answer.ts';
import type { RequestInput } from '../../lib/wire/request.ts';
import { answerFailure, answerText, mustBeAllowed } from '../kit/answer.ts';
import { type Check, type CheckContext, checkOfEach, type Fixture } from '../kit/check.ts';
import { Blocked, failure, Inconclusive } from '../kit/fault.ts';
import { creatable, isCreatable, nameMember, textMember } from '../kit/fields.ts';
import { freeText, readRecord, readUntil, updateFields } from '../kit/record/record-reads.ts';
import { anyRecord, attempt, attemptOnly, discard } from '../kit/record/write-attempt.ts';
import { openBinding } from '../model/history.ts';
import { create, read, typed } from '../plans/make.ts';
import { change, judgeSteps } from '../plans/obvious/steps.ts';
import { comesToShow, isUpdatable, onRecords, onWrites, showsAll } from './common.ts';
import { stepCheck } from './record/writes.ts';
import { otherXml } from './xml.ts';

const otherRoot = ({ family, table }: CheckContext): string =>
  creatable(table)
    .map((name) => table[name]?.roots.resource)
    .find((root) => root !== undefined && root !== family.roots.resource) ?? 'CfmNoSuchRoot';

/** The failure of a write that is refused under its root key; `bare` is the answer to the same without one. */
function refusedRoot(op: 'create' | 'update', rooted: Exchange, bare: Exchange): Error {
  const [what, body] = op === 'create' ? ['a create', 'body'] : ['an update', 'update'];
  if (!isSuccess(bare)) return new Blocked(`the target refuses ${what} in either form: ${answerText(rooted)}`);
  const observed = `refused, and taken without: ${answerText(rooted)}`;
  return failure('refused', op, 'body root key', { expected: `the ${body} under its root key to be taken`, observed });
}

const rootTaken: Check = {
  ...onWrites,
  id: 'body/root-key',
  title: 'a body under the root key of its family is accepted',
  requirement: 'RES-ROOT',
  appliesTo: isCreatable,
  exercises: ['create'],
  async run(context) {
    const rooted = await attempt(context, {});
    mustBeAllowed(rooted.exchange, 'no permission to create');
    const bare = await attemptOnly(context, { root: null });
    context.observe('status of a body without root key', bare.exchange.status);
    if (!isSuccess(rooted.exchange)) throw refusedRoot('create', rooted.exchange, bare.exchange);
    if (rooted.made === undefined) throw new Inconclusive('the create was taken and its record is not to be found');
    // What the server fills in, or never shows, need not come back.
    const told = openBinding(context.family, rooted.sent);
    const { fits, record } = await readUntil(context, rooted.made, (held) => showsAll(held, told));
    await discard(context, rooted);
    if (!fits) context.observe('answered', record ?? null);
    if (record === undefined) throw new Inconclusive('the record that was made cannot be read');
    if (!fits) throw new Inconclusive('the record does not show what was sent');
    context.witness('rooted');
  },
};

const wrongRootCreatesNone = stepCheck({
  id: 'body/wrong-root',
  title: 'a body under the root key of another family creates nothing',
  requirement: 'RES-ROOT',
  appliesTo: (family, table) => isCreatable(family) && creatable(table).some((other) => other !== family.name),
  plan: () => ({
    steps: [{ step: 'wrong', request: 'create other root', who: 'subject' }, create('subject'), read('subject')],
    isAbout: ({ subject }) => subject === 'body root key' || subject === 'refusal status',
    ...{ isOwn: true, subject: 'body wrong root' },
  }),
});

/** A body in a form under another type than the usual one; `text`: what it says. */
interface Typed {
  readonly form: 'json' | 'xml';
  readonly type: 'none' | 'text' | 'charset';
  readonly text: string;
}
const UNTYPED: Typed = { form: 'json', type: 'none', text: 'absent' };
const AS_TEXT: Typed = { form: 'json', type: 'text', text: 'text/plain' };

/** What is wrong of a member under the usual type too is told by the checks of the write. */
const typedBody = (check: Pick<Check, 'id' | 'title'> & Partial<Check>, types: Readonly<Record<string, Typed>>) =>
  checkOfEach<Typed>({
    ...onRecords,
    ...check,
    requirement: 'CNV-XML',
    variants: () => types,
    async run(context, { form, type, text }) {
      const isUpdate = check.exercises?.includes('update');
      const write = change(context, 'subject', `tried ${context.run.prefix}`);
      const steps = isUpdate ? [create('subject'), typed(write, form, type)] : [typed(create('subject'), form, type)];
      const name = nameMember(context.family);
      const why = await judgeSteps(context, {
        steps: [...steps, read('subject')],
        isAbout: ({ kind, subject }) =>
          ['refused', 'no-effect'].includes(kind) ||
          subject === `member ${isUpdate ? (textMember(context.family) ?? name) : name}`,
        ...{ isOwn: true, subject: `media type ${text}` },
      });
      if (why === undefined) return;
      if (form === 'xml') throw otherXml(undefined);
      throw new Inconclusive(`the control was refused too: ${why}`);
    },
  });

const jsonOtherwise = typedBody(
  {
    id: 'body/json-otherwise',
    title: 'a body is read as JSON unless its Content-Type contains application/xml',
    exercises: ['create'],
  },
  {
    none: UNTYPED,
    'text-plain': AS_TEXT,
    'json-charset': { form: 'json', type: 'charset', text: 'application/json;charset=utf-8' },
  },
);

const changed = (context: CheckContext, own: Fixture, turn: string) =>
  freeText(context, `${turn} ${context.run.prefix}`, own);

const update = (context: CheckContext, own: Fixture, turn: string, input: RequestInput = {}): Promise<Exchange> =>
  context.send('update', { ...input, id: own.id, fields: updateFields(own, changed(context, own, turn)) });

const shows = (context: CheckContext, own: Fixture, turn: string): Promise<boolean> =>
  comesToShow(context, own, changed(context, own, turn));

async function ownRoot(context: CheckContext): Promise<undefined> {
  const own = await anyRecord(context);
  const rooted = await update(context, own, 'rooted');
  mustBeAllowed(rooted);
  if (!isSuccess(rooted)) throw refusedRoot('update', rooted, await update(context, own, 'bare', { root: null }));
  if (!(await shows(context, own, 'rooted'))) throw new Inconclusive('the update was taken and does not show');
  context.witness('rooted');
}

async function wrongRoot(context: CheckContext): Promise<undefined> {
  const [own, control] = [await context.fixture(), await context.fixture()];
  const root = otherRoot(context);
  const answer = await update(context, own, 'wrong root', { root });
  context.observe('status', answer.status);
  // Made after the attempt: once the control is seen, the attempt would be seen too.
  const right = await update(context, control, 'right root');
  mustBeAllowed(right);
  if (!isSuccess(right)) throw new Inconclusive(`the control was refused too: ${answerText(right)}`);
  if (!(await shows(context, control, 'right root'))) throw new Inconclusive('the control was taken and does not show');
  context.witness('controls');
  if (showsAll((await readRecord(context, own)).record, changed(context, own, 'wrong root')))
    throw answerFailure(`nothing changed by a body under ${root}`, answer, 'body wrong root', 'it shows');
}

const rootOnUpdate = checkOfEach<'own' | 'wrong'>({
  ...onWrites,
  id: 'body/root-on-update',
  title: 'an update is accepted under the root key of its family and changes nothing under another',
  requirement: 'RES-ROOT',
  appliesTo: isUpdatable,
  variants: () => ['own', 'wrong'],
  exercises: ['update'],
  run: (context, root) => (root === 'wrong' ? wrongRoot(context) : ownRoot(context)),
});

const formOnUpdate = typedBody(
  {
    id: 'body/form-on-update',
    title: 'the body of an update is read as its Content-Type says',
    appliesTo: isUpdatable,
    dependsOn: ['record/update', 'record/update-creates-none'],
    exercises: ['update'],
  },
  {
    'json-untyped': UNTYPED,
    'json-text-plain': AS_TEXT,
    'xml-charset': { form: 'xml', type: 'charset', text: 'application/xml;charset=UTF-8' },
  },
);

export const bodyChecks: readonly Check[] = [
  ...[rootTaken, wrongRootCreatesNone, jsonOtherwise],
  ...[rootOnUpdate, formOnUpdate],
];
