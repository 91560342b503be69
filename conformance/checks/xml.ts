import type { Exchange } from '../../lib/client/types.ts';
import { hasOp } from '../../lib/contract/types.ts';
import { isOverloaded, isSuccess, type JsonObject } from '../../lib/wire/answer.ts';
import type { Filter } from '../../lib/wire/query.ts';
import { answerFailure, answerText, mustBeAllowed, mustDecide } from '../kit/answer.ts';
import { type Check, type CheckContext, checkOfEach, type Fixture, notApplicable } from '../kit/check.ts';
import { failure, NotTestable } from '../kit/fault.ts';
import { isCreatable, isServerFilled, isTold, nameMember, sentFields, textMember } from '../kit/fields.ts';
import { freeText, readUntil, shown, updateFields } from '../kit/record/record-reads.ts';
import { type Attempt, attempt, discard, leftBy } from '../kit/record/write-attempt.ts';
import { readsXml } from '../kit/record/xml-form.ts';
import { create, read, typed } from '../plans/make.ts';
import { judgeSteps } from '../plans/obvious/steps.ts';
import { mustShowTexts } from '../plans/obvious/xml-texts.ts';
import { isUpdatable, mustStoreAlike, onRecords, showsAll } from './common.ts';
import { cameBackJoined, judgeTexts, refusedText, textsBeside, XML_TEXTS } from './record/free-texts.ts';

const PLAIN = 'application/xml';
const STORED = 'a record from a create in XML that is taken';

export function otherXml(answer: Exchange | undefined): NotTestable {
  const isTaken = answer === undefined || isSuccess(answer);
  return new NotTestable(
    `the XML form of a resource is not shown, and the target ${isTaken ? 'reads another' : `refuses ours: ${answerText(answer)}`}`,
    'a target that takes the XML form of published definitions',
  );
}

/** Creates by XML; the XML form of a resource is not shown, so a refusal of ours decides nothing. */
async function createByXml(context: CheckContext, contentType: string) {
  const tried = await attempt(context, { format: 'xml', headers: { contentType } });
  mustBeAllowed(tried.exchange);
  await leftBy(context, tried);
  if (isSuccess(tried.exchange) && !(await readsXml(context))) throw otherXml(tried.exchange);
  return tried;
}

/** Requires that a create in XML made its record: what a target takes, it has to store, in whatever form it came. */
function mustBeMade({ made, ...control }: Attempt): Attempt & { readonly made: Fixture } {
  if (isSuccess(control.exchange) && made !== undefined) return { ...control, made };
  if (isSuccess(control.exchange)) throw answerFailure(STORED, control.exchange, 'record');
  throw otherXml(control.exchange);
}

const isNested = (sent: JsonObject): boolean => Object.values(sent).some((value) => typeof value === 'object');

const xmlRecognized = checkOfEach<string>({
  ...onRecords,
  id: 'xml/content-type',
  title: 'a body is read as XML if its Content-Type contains application/xml',
  requirement: 'CNV-XML',
  variants: () => ({
    plain: PLAIN,
    charset: 'application/xml;charset=UTF-8',
    'charset-spaced': 'application/xml; charset="utf-8"',
  }),
  exercises: ['create'],
  async run(context, contentType) {
    const control = await createByXml(context, PLAIN);
    const { exchange } = control;
    // A form that is not known is refused with a 4xx; a fault of the server is never the answer to a form.
    if (exchange.status >= 500 && !isOverloaded(exchange))
      throw answerFailure('a create in XML taken, or refused with 4xx', exchange, `media type ${PLAIN}`);
    if (!(await discard(context, mustBeMade(control))))
      throw answerFailure(STORED, exchange, 'record', 'it is not found');
    const tried = await createByXml(context, contentType);
    const expected = 'a record, as with plain application/xml';
    await mustStoreAlike(context, () => context.fixture(), tried, expected, `media type ${contentType}`);
    context.witness('records');
  },
});

const xmlFields = checkOfEach<string>({
  ...onRecords,
  id: 'xml/fields',
  title: 'a field is stored alike from XML and from JSON',
  requirement: 'CNV-XML',
  dependsOn: ['record/create', 'record/create-fields|='],
  // Inside objects XML has no types, and their members are not shown.
  variants: (family) =>
    sentFields(family, 'create').flatMap(([member, { type }]) =>
      isServerFilled(family, member) || type === 'object' || type === 'object[]' ? [] : [member],
    ),
  async run(context, member) {
    const { [member]: value } = { ...context.payload(), ...context.run.values.samples(1) };
    if (value === undefined) return notApplicable(`no value to send for ${member} is known`);
    const set = member === nameMember(context.family) ? {} : { [member]: value };
    const why = await judgeSteps(context, {
      steps: [typed(create('subject', set), 'xml'), read('subject')],
      isAbout: ({ subject }) => subject === `member ${member}`,
      isOwn: true,
    });
    if (why !== undefined) throw otherXml(undefined);
    return undefined;
  },
});

/** Longer than what storage often ends at, and no longer than an attribute may be. */
const LONG = ['a', 'b'].map((letter) => `${'long '.repeat(220)}${letter}`) as [string, string];

const xmlText = checkOfEach<readonly [string, string]>({
  ...onRecords,
  id: 'xml/text',
  title: 'a text sent as XML comes back as it was sent',
  requirement: 'PAY-C',
  appliesTo: (family, table) => isCreatable(family) && textsBeside(table, family).length > 0,
  variants: () => ({ ...XML_TEXTS, long: LONG }),
  async run(context, texts, { name }) {
    if (await cameBackJoined(context, name, 'xml')) return;
    const control = mustBeMade(await createByXml(context, PLAIN));
    await discard(context, control);
    const why = await judgeTexts(context, { name, texts, form: 'xml' });
    if (why === undefined) return;
    if (!isNested(control.sent)) throw refusedText(textMember(context.family) ?? '', why);
    throw new NotTestable(
      `how objects and lists are written in XML is not shown, and without any: ${why}`,
      'a target that takes records without objects and lists',
    );
  },
});

const xmlList: Check = {
  ...onRecords,
  id: 'xml/list',
  title: 'a list in XML shows the texts of a record as the same list does in JSON',
  requirement: 'LIST-GET',
  level: 'implied',
  appliesTo: (family) => isCreatable(family) && hasOp(family, 'list'),
  async run(context) {
    const { family, run } = context;
    const members = [nameMember(family), textMember(family)].flatMap((member) => member ?? []);
    const own: Fixture[] = [];
    for (const [text] of Object.values({ ...XML_TEXTS, long: LONG })) {
      const given = context.payload();
      // A name keeps what tells whose it is; the other text is this one alone.
      const textFor = (member: string) =>
        (member === nameMember(family) ? `${given[member]} ${text}` : text).slice(0, 200);
      const texts = members
        .filter((member) => run.values.takes(member, textFor(member)))
        .map((member) => [member, textFor(member)]);
      const made = await context.fixture(Object.fromEntries(texts)).catch(() => []);
      own.push(...[made].flat());
    }
    const name = nameMember(family);
    // One that reads like a number holds nothing of the run: the description tells whose it is.
    const digits = `00${[...run.prefix].map((sign) => sign.charCodeAt(0) % 10).join('')}`.slice(0, 15);
    const isBare = name !== undefined && isTold(family, 'led by zeros') && run.values.takes(name, digits);
    const bare = isBare ? await context.fixture({ [name]: digits }).catch(() => []) : [];
    const mustShow = async (asked: Pick<Filter, 'operator' | 'value'>, records: readonly Fixture[]) => {
      const list = { size: 100, filters: family.filters.includes('name') ? [{ field: 'name', ...asked }] : [] };
      // Twice: a mistake may be one of every second time.
      return (await mustShowTexts(context, list, records)) && (await mustShowTexts(context, list, records));
    };
    if (!(await mustShow({ operator: 'STARTSW', value: run.prefix }, own)))
      throw new NotTestable(
        'no list in XML shows the records: its form is not shown',
        'a target whose lists in XML show ids',
      );
    await mustShow({ operator: 'EQ', value: digits }, [bare].flat());
  },
};

const xmlEverywhere: Check = {
  ...onRecords,
  id: 'xml/each-operation',
  title: 'a family that accepts XML on one operation accepts it on every other',
  requirement: 'CNV-XML',
  appliesTo: isUpdatable,
  exercises: ['create', 'update'],
  async run(context) {
    const created = await createByXml(context, PLAIN);
    await discard(context, created);
    const own = await context.fixture();
    const changes = freeText(context, `by XML ${context.run.prefix}`, own);
    const fields = Object.fromEntries(
      Object.entries(updateFields(own, changes)).filter(([, value]) => typeof value !== 'object'),
    );
    const updated = await context.send('update', { id: own.id, fields, format: 'xml' });
    mustDecide(created.exchange);
    mustDecide(updated);
    const [onCreate, onUpdate] = [isSuccess(created.exchange), isSuccess(updated)];
    if (!onCreate && !onUpdate) throw otherXml(updated);
    // The same without XML has to be taken, before XML can be the reason.
    if (!onUpdate && !isSuccess(await context.send('update', { id: own.id, fields }))) throw otherXml(updated);
    if (!onUpdate) throw answerFailure('an update as XML taken, as the create was', updated, `media type ${PLAIN}`);
    if (!onCreate && (isNested(created.sent) || !(await readsXml(context)))) throw otherXml(created.exchange);
    if (!onCreate)
      throw answerFailure('a create as XML taken, as the update was', created.exchange, `media type ${PLAIN}`);
    const { fits, record } = await readUntil(context, own, (held) => showsAll(held, changes));
    if (!fits)
      throw failure('no-effect', 'update', `media type ${PLAIN}`, {
        expected: `after an update as XML ${shown(changes)}`,
        observed: shown(record),
      });
    context.witness('operations', 2);
  },
};

export const xmlChecks: readonly Check[] = [xmlEverywhere, xmlRecognized, xmlFields, xmlText, xmlList];
