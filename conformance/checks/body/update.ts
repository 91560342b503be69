import type { Exchange } from '../../../lib/client/types.ts';
import { hasOp } from '../../../lib/contract/types.ts';
import { isForbidden, isSuccess } from '../../../lib/wire/answer.ts';
import type { RequestInput } from '../../../lib/wire/request.ts';
import { answerFailure, answerText } from '../../kit/answer.ts';
import { type Check, type CheckContext, checkOfEach, type Fixture } from '../../kit/check.ts';
import { holds } from '../../kit/contains-subset.ts';
import { Blocked, CheckFailure, Inconclusive } from '../../kit/fault.ts';
import { creatable, isCreatable } from '../../kit/fields.ts';
import { freeText, readRecord, readUntil, shown, updateFields } from '../../kit/record/record-reads.ts';
import { anyRecord } from '../../kit/record/write-attempt.ts';

const updatable: Check['appliesTo'] = (family) =>
  isCreatable(family) && hasOp(family, 'update') && hasOp(family, 'read');

/** Text that an update is to leave, another one each time. */
const changed = (context: CheckContext, turn: string) => freeText(context, `${turn} ${context.run.prefix}`);

function update(context: CheckContext, own: Fixture, turn: string, input: RequestInput = {}): Promise<Exchange> {
  return context.send('update', { ...input, id: own.id, fields: updateFields(own, changed(context, turn)) });
}

async function shows(context: CheckContext, own: Fixture, turn: string): Promise<boolean> {
  return (await readUntil(context, own, (held) => holds(held, changed(context, turn)))).fits;
}

/** The ordinary update of a record works: without it, nothing about its form can be said. */
async function mustUpdate(context: CheckContext, own: Fixture, turn: string, input: RequestInput = {}): Promise<void> {
  const answer = await update(context, own, turn, input);
  if (isForbidden(answer)) throw new Blocked(`no permission: ${answerText(answer)}`);
  if (!isSuccess(answer)) throw new Inconclusive(`the control was refused too: ${answerText(answer)}`);
  if (!(await shows(context, own, turn))) throw new Inconclusive('the control was taken and does not show');
}

async function ownRoot(context: CheckContext): Promise<undefined> {
  const own = await anyRecord(context);
  const rooted = await update(context, own, 'rooted');
  if (isForbidden(rooted)) throw new Blocked(`no permission: ${answerText(rooted)}`);
  if (!isSuccess(rooted)) {
    const bare = await update(context, own, 'bare', { root: null });
    if (!isSuccess(bare)) throw new Blocked(`the target refuses an update in either form: ${answerText(rooted)}`);
    const observed = `refused, and taken without: ${answerText(rooted)}`;
    throw new CheckFailure({
      expected: 'the update under its root key to be taken',
      observed,
      about: { kind: 'refused', operation: 'update', subject: 'body root key' },
    });
  }
  if (!(await shows(context, own, 'rooted'))) throw new Inconclusive('the update was taken and does not show');
  context.witness('rooted');
  return undefined;
}

async function wrongRoot(context: CheckContext): Promise<undefined> {
  const [own, control] = [await context.fixture(), await context.fixture()];
  const roots = creatable(context.table).map((name) => context.table[name]?.roots.resource);
  const wrong = roots.find((root) => root !== undefined && root !== context.family.roots.resource) ?? 'CfmNoSuchRoot';
  const answer = await update(context, own, 'wrong root', { root: wrong });
  context.observe('status', answer.status);
  // Made after the attempt: once the control is seen, the attempt would be seen too.
  await mustUpdate(context, control, 'right root');
  context.witness('controls');
  const { record } = await readRecord(context, own);
  if (!holds(record, changed(context, 'wrong root'))) return undefined;
  throw answerFailure(`nothing changed by a body under ${wrong}`, answer, {
    subject: 'body wrong root',
    effect: 'it shows',
  });
}

/** The body of an update has the root key of its family, as that of a create has. */
const rootOnUpdate = checkOfEach<'own' | 'wrong'>({
  id: 'body/root-on-update',
  title: 'an update is accepted under the root key of its family and changes nothing under another',
  requirement: 'RES-ROOT',
  level: 'stated',
  appliesTo: updatable,
  variants: () => (['own', 'wrong'] as const).map((root) => ({ name: root, data: root })),
  exercises: ['update'],
  needs: 'own-data',
  run: (context, root) => (root === 'wrong' ? wrongRoot(context) : ownRoot(context)),
});

interface Form {
  readonly format: 'json' | 'xml';
  readonly contentType: string | null;
}

const FORMS: Readonly<Record<string, Form>> = {
  'json-untyped': { format: 'json', contentType: null },
  'json-text-plain': { format: 'json', contentType: 'text/plain' },
  'xml-charset': { format: 'xml', contentType: 'application/xml;charset=UTF-8' },
};
const ORDINARY: Readonly<Record<Form['format'], string>> = { json: 'application/json', xml: 'application/xml' };

/** Content-Type says what the body of an update is, as it does for that of a create. */
const formOnUpdate = checkOfEach<Form>({
  id: 'body/form-on-update',
  title: 'the body of an update is read as its Content-Type says',
  requirement: 'CNV-XML',
  level: 'stated',
  appliesTo: updatable,
  variants: () => Object.entries(FORMS).map(([name, form]) => ({ name, data: form })),
  dependsOn: ['record/update', 'record/update-creates-none'],
  exercises: ['update'],
  needs: 'own-data',
  async run(context, form) {
    const { format, contentType } = form;
    const own = await context.fixture();
    await mustUpdate(context, own, 'control', { format, headers: { contentType: ORDINARY[format] } });
    const answer = await update(context, own, 'tried', { format, headers: { contentType } });
    const what = `an update with Content-Type ${contentType ?? 'left out'} taken as one with ${ORDINARY[format]}`;
    if (!isSuccess(answer)) throw answerFailure(what, answer, { subject: `media type ${contentType ?? 'absent'}` });
    if (!(await shows(context, own, 'tried'))) {
      const effect = shown((await readRecord(context, own)).record);
      throw answerFailure(what, answer, { subject: `media type ${contentType ?? 'absent'}`, effect });
    }
    context.witness('updates');
    return undefined;
  },
});

export const bodyUpdateChecks: readonly Check[] = [rootOnUpdate, formOnUpdate];
