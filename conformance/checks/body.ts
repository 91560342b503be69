import type { Exchange } from '../../lib/client/types.ts';
import { isSuccess } from '../../lib/wire/answer.ts';
import type { RequestInput } from '../../lib/wire/request.ts';
import { answerFailure, answerText, mustBeAllowed } from '../kit/answer.ts';
import { type Check, type CheckContext, checkOfEach, type Fixture } from '../kit/check.ts';
import { Blocked, failure, Inconclusive } from '../kit/fault.ts';
import { creatable, isCreatable, isServerFilled } from '../kit/fields.ts';
import { freeText, readRecord, readUntil, shown, updateFields } from '../kit/record/record-reads.ts';
import { anyRecord, attempt, attemptOnly, discard, leftBy } from '../kit/record/write-attempt.ts';
import { readsXml } from '../kit/record/xml-form.ts';
import { comesToShow, isUpdatable, mustStoreAlike, onRecords, onWrites, showsAll } from './common.ts';
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
    const told = Object.entries(rooted.sent).filter(([member]) => !isServerFilled(context.family, member));
    const { fits, record } = await readUntil(context, rooted.made, (held) => showsAll(held, Object.fromEntries(told)));
    await discard(context, rooted);
    if (!fits) context.observe('answered', record ?? null);
    if (record === undefined) throw new Inconclusive('the record that was made cannot be read');
    if (!fits) throw new Inconclusive('the record does not show what was sent');
    context.witness('rooted');
  },
};

const wrongRootCreatesNone: Check = {
  ...onRecords,
  id: 'body/wrong-root',
  title: 'a body under the root key of another family creates nothing',
  requirement: 'RES-ROOT',
  appliesTo: (family, table) => isCreatable(family) && creatable(table).some((other) => other !== family.name),
  async run(context) {
    const root = otherRoot(context);
    const tried = await attempt(context, { root });
    context.observe('status', tried.exchange.status);
    await context.fixture();
    context.witness('controls');
    const left = await leftBy(context, tried);
    await discard(context, tried);
    if (left.length > 0)
      throw failure('accepted', 'create', 'body wrong root', {
        expected: `no record from a body under ${root}`,
        observed: `created ${left.join(', ')}`,
      });
  },
};

const JSON_TYPES: Readonly<Record<string, string | null>> = {
  none: null,
  'text-plain': 'text/plain',
  'json-charset': 'application/json;charset=utf-8',
};

const jsonOtherwise = checkOfEach<string | null>({
  ...onRecords,
  id: 'body/json-otherwise',
  title: 'a body is read as JSON unless its Content-Type contains application/xml',
  requirement: 'CNV-XML',
  variants: () => JSON_TYPES,
  async run(context, contentType) {
    const control = await context.fixture();
    const tried = await attempt(context, { headers: { contentType } });
    mustBeAllowed(tried.exchange);
    await leftBy(context, tried);
    const expected = `a record as with application/json (${control.id})`;
    await mustStoreAlike(context, async () => control, tried, expected, `media type ${contentType ?? 'absent'}`);
    context.witness('records');
  },
});

const changed = (context: CheckContext, turn: string) => freeText(context, `${turn} ${context.run.prefix}`);

const update = (context: CheckContext, own: Fixture, turn: string, input: RequestInput = {}): Promise<Exchange> =>
  context.send('update', { ...input, id: own.id, fields: updateFields(own, changed(context, turn)) });

const shows = (context: CheckContext, own: Fixture, turn: string): Promise<boolean> =>
  comesToShow(context, own, changed(context, turn));

/** The ordinary update of a record works: without it, nothing about its form can be said. */
async function mustUpdate(context: CheckContext, own: Fixture, turn: string, input: RequestInput = {}): Promise<void> {
  const answer = await update(context, own, turn, input);
  mustBeAllowed(answer);
  if (!isSuccess(answer) && input.format === 'xml') throw otherXml(answer);
  if (!isSuccess(answer)) throw new Inconclusive(`the control was refused too: ${answerText(answer)}`);
  if (!(await shows(context, own, turn))) throw new Inconclusive('the control was taken and does not show');
}

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
  await mustUpdate(context, control, 'right root');
  context.witness('controls');
  if (showsAll((await readRecord(context, own)).record, changed(context, 'wrong root')))
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

const FORMS: Readonly<Record<string, readonly ['json' | 'xml', contentType: string | null]>> = {
  'json-untyped': ['json', null],
  'json-text-plain': ['json', 'text/plain'],
  'xml-charset': ['xml', 'application/xml;charset=UTF-8'],
};

const formOnUpdate = checkOfEach({
  ...onRecords,
  id: 'body/form-on-update',
  title: 'the body of an update is read as its Content-Type says',
  requirement: 'CNV-XML',
  appliesTo: isUpdatable,
  variants: () => FORMS,
  dependsOn: ['record/update', 'record/update-creates-none'],
  exercises: ['update'],
  async run(context, [format, contentType]) {
    if (format === 'xml' && !(await readsXml(context))) throw otherXml(undefined);
    const own = await context.fixture();
    const ordinary = `application/${format}`;
    await mustUpdate(context, own, 'control', { format, headers: { contentType: ordinary } });
    const answer = await update(context, own, 'tried', { format, headers: { contentType } });
    const what = `an update with Content-Type ${contentType ?? 'left out'} taken as one with ${ordinary}`;
    const subject = `media type ${contentType ?? 'absent'}` as const;
    if (!isSuccess(answer)) throw answerFailure(what, answer, subject);
    if (!(await shows(context, own, 'tried')))
      throw answerFailure(what, answer, subject, shown((await readRecord(context, own)).record));
    context.witness('updates');
  },
});

export const bodyChecks: readonly Check[] = [
  ...[rootTaken, wrongRootCreatesNone, jsonOtherwise],
  ...[rootOnUpdate, formOnUpdate],
];
