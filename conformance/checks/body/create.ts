import { isForbidden, isSuccess } from '../../../lib/wire/answer.ts';
import { answerFailure, answerText } from '../../kit/answer.ts';
import { type Check, checkOfEach } from '../../kit/check.ts';
import { holds } from '../../kit/contains-subset.ts';
import { Blocked, CheckFailure, Inconclusive } from '../../kit/fault.ts';
import { creatable, isCreatable, isServerFilled } from '../../kit/fields.ts';
import { readUntil, shown } from '../../kit/record/record-reads.ts';
import { attempt, comparable, discard, leftBy } from '../../kit/record/write-attempt.ts';

/** The body of a create is read from under its root key. */
const rootTaken: Check = {
  id: 'body/root-key',
  title: 'a body under the root key of its family is accepted',
  requirement: 'RES-ROOT',
  level: 'stated',
  appliesTo: isCreatable,
  exercises: ['create'],
  needs: 'own-data',
  async run(context) {
    const rooted = await attempt(context, {});
    if (isForbidden(rooted.exchange)) throw new Blocked(`no permission to create: ${answerText(rooted.exchange)}`);
    const bare = await attempt(context, { root: null });
    context.observe('status of a body without root key', bare.exchange.status);
    if (bare.made === undefined) await leftBy(context, bare);
    await discard(context, bare);
    if (isSuccess(rooted.exchange)) {
      if (rooted.made === undefined) throw new Inconclusive('the create was taken and its record is not to be found');
      // What the server fills in, or never shows, need not come back.
      const told = Object.entries(rooted.sent).filter(([member]) => !isServerFilled(context.family, member));
      const { fits, record } = await readUntil(context, rooted.made, (held) => holds(held, Object.fromEntries(told)));
      await discard(context, rooted);
      if (fits) context.witness('rooted');
      else context.observe('answered', record ?? null);
      return undefined;
    }
    if (isSuccess(bare.exchange)) {
      throw new CheckFailure({
        expected: 'the body under its root key to be taken',
        observed: `refused, and taken without: ${answerText(rooted.exchange)}`,
        about: { kind: 'refused', operation: 'create', subject: 'body root key' },
      });
    }
    throw new Blocked(`the target refuses a create in either form: ${answerText(rooted.exchange)}`);
  },
};

/** A body under the root key of another family creates nothing. */
const wrongRootCreatesNone: Check = {
  id: 'body/wrong-root',
  title: 'a body under the root key of another family creates nothing',
  requirement: 'RES-ROOT',
  level: 'stated',
  appliesTo: (family, table) => isCreatable(family) && creatable(table).some((other) => other !== family.name),
  dependsOn: ['record/create'],
  needs: 'own-data',
  async run(context) {
    const roots = creatable(context.table).map((name) => context.table[name]?.roots.resource);
    const wrong = roots.find((root) => root !== undefined && root !== context.family.roots.resource);
    const tried = await attempt(context, { root: wrong ?? 'CfmNoSuchRoot' });
    context.observe('status', tried.exchange.status);
    await context.fixture();
    context.witness('controls');
    const left = tried.made === undefined ? await leftBy(context, tried) : [tried.made.id];
    await discard(context, tried);
    if (left.length > 0)
      throw new CheckFailure({
        expected: `no record from a body under ${wrong}`,
        observed: `created ${left.join(', ')}`,
        about: { kind: 'accepted', operation: 'create', subject: 'body wrong root' },
      });
    return undefined;
  },
};

const JSON_TYPES: Readonly<Record<string, string | null>> = {
  none: null,
  'text-plain': 'text/plain',
  'json-charset': 'application/json;charset=utf-8',
};

/** Whatever Content-Type does not contain application/xml means JSON. */
const jsonOtherwise = checkOfEach<string | null>({
  id: 'body/json-otherwise',
  title: 'a body is read as JSON unless its Content-Type contains application/xml',
  requirement: 'CNV-XML',
  level: 'stated',
  appliesTo: isCreatable,
  variants: () => Object.entries(JSON_TYPES).map(([name, contentType]) => ({ name, data: contentType })),
  dependsOn: ['record/create'],
  needs: 'own-data',
  async run(context, contentType) {
    const control = await context.fixture();
    const tried = await attempt(context, { headers: { contentType } });
    if (isForbidden(tried.exchange)) throw new Blocked(`no permission: ${answerText(tried.exchange)}`);
    if (tried.made === undefined) await leftBy(context, tried);
    if (tried.made === undefined)
      throw answerFailure(`a record as with application/json (${control.id})`, tried.exchange, {
        subject: `media type ${contentType ?? 'absent'}`,
      });
    const sent = await comparable(context, control, tried);
    const { fits, record } = await readUntil(context, tried.made, (held) => holds(held, sent));
    await discard(context, tried);
    if (!fits)
      throw new CheckFailure({
        expected: shown(sent),
        observed: shown(record),
        about: { kind: 'value', operation: 'create', subject: `media type ${contentType ?? 'absent'}` },
      });
    context.witness('records');
    return undefined;
  },
});

export const bodyChecks: readonly Check[] = [rootTaken, wrongRootCreatesNone, jsonOtherwise];
