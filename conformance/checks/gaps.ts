import { MARK } from '../../lib/client/safety/record-identity.ts';
import { GAPS, type GapId } from '../../lib/contract/requirements.ts';
import { type Family, type FieldType, fieldsOf, hasOp } from '../../lib/contract/types.ts';
import { vendorFacts } from '../../lib/contract/vendor.ts';
import { entriesOf, idOf, isSuccess, type JsonObject, rootOf } from '../../lib/wire/answer.ts';
import { bulkValues, runBulk } from '../kit/bulk.ts';
import type { Check, CheckContext } from '../kit/check.ts';
import { isCreatable, nameMember, sentFields } from '../kit/fields.ts';
import { readEntries } from '../kit/record/record-reads.ts';
import { attempt, discard, leftBy } from '../kit/record/write-attempt.ts';
import { UNKNOWN_ID } from '../kit/values/payload.ts';
import { isListed } from './common.ts';

/** A look at what lists and reads show, unless it says otherwise. */
interface Gap extends Partial<Pick<Check, 'appliesTo' | 'needs'>> {
  readonly slug: string;
  readonly look: (context: CheckContext) => Promise<void>;
}

async function someRecords(context: CheckContext): Promise<readonly JsonObject[]> {
  const entries = entriesOf(await context.send('list')) ?? [];
  if (!hasOp(context.family, 'read')) return entries.slice(0, 3);
  const records: JsonObject[] = [];
  for await (const { record } of readEntries(context, entries, 3)) if (record !== undefined) records.push(record);
  return records;
}

const typesOf = (value: unknown): unknown =>
  Array.isArray(value)
    ? [...new Set(value.map((item) => JSON.stringify(typesOf(item))))].map((text) => JSON.parse(text))
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([member, held]) => [member, typesOf(held)]))
      : typeof value;

const membersOf = (family: Family, type: FieldType): readonly string[] =>
  Object.entries(fieldsOf(family)).flatMap(([member, field]) => (field.type === type ? [member] : []));

const typed = (type: FieldType): Pick<Gap, 'appliesTo' | 'look'> => ({
  appliesTo: (family) => membersOf(family, type).length > 0,
  look: async (context) => {
    const members = membersOf(context.family, type);
    for (const record of await someRecords(context))
      for (const member of members) if (record[member] !== undefined) context.observe(member, typesOf(record[member]));
  },
});

/** Looks at the headers of a list whose names are of a pattern; of cookies at their names. */
const headed =
  (what: string, pattern: RegExp): Gap['look'] =>
  async (context) => {
    const { headers } = await context.send('list');
    const found = Object.entries(headers)
      .filter(([name]) => pattern.test(name))
      .map(([name, value]) => [name, name === 'set-cookie' ? value.split('=')[0] : value]);
    context.observe(what, Object.fromEntries(found));
  };

/** What is looked at where the specification says that it does not show something. */
const LOOKS: Readonly<Record<GapId, Gap>> = {
  'G-01': {
    slug: 'unshown-fields',
    appliesTo: (family) => family.fields === 'unspecified',
    look: async (context) => {
      for (const record of await someRecords(context)) context.observe('members', typesOf(record));
    },
  },
  'G-02': { slug: 'inner-structure', ...typed('object') },
  'G-03': { slug: 'item-structure', ...typed('object[]') },
  'G-04': {
    slug: 'status-values',
    appliesTo: (family) => 'status' in fieldsOf(family),
    look: async (context) => {
      const values = (await someRecords(context)).map((record) => record['status']);
      context.observe('status', values);
    },
  },
  'G-05': {
    slug: 'required-fields',
    needs: 'own-data',
    appliesTo: isCreatable,
    look: async (context) => {
      const members = sentFields(context.family, 'create').map(([member]) => member);
      // A record without a name and without a mark could not be proven to be of this run, and would stay.
      const isMarked = context.payload()[MARK] !== undefined;
      for (const member of members.filter((one) => isMarked || one !== nameMember(context.family))) {
        const tried = await attempt(context, {}, { [member]: undefined });
        context.observe(`without ${member}`, tried.exchange.status);
        if (tried.name !== '') await leftBy(context, tried);
        await discard(context, tried);
      }
    },
  },
  'G-06': {
    slug: 'states',
    look: async (context) => {
      const states = (await someRecords(context)).flatMap((record) =>
        Object.entries(record).filter(([member]) => /state|status|phase/i.test(member)),
      );
      context.observe('members that name a state', Object.fromEntries(states));
    },
  },
  'G-07': {
    slug: 'success-answers',
    look: async (context) => {
      if (hasOp(context.family, 'read')) {
        const id = idOf(entriesOf(await context.send('list'))?.[0]);
        if (id !== undefined) context.observe('root key of a read', rootOf(await context.send('read', { id })) ?? null);
      }
      // Without how often each was seen: that depends on how long the target was waited for.
      const seen = Object.entries(context.run.answers().statuses);
      const statuses = seen.map(([op, counts]) => [op, Object.keys(counts).map(Number)]);
      context.observe('statuses by operation', Object.fromEntries(statuses));
    },
  },
  'G-08': {
    slug: 'bulk-values',
    needs: 'full',
    appliesTo: (family) => hasOp(family, 'bulkSubmit'),
    look: async (context) => {
      for (const operationType of ['create', 'update', 'delete', 'cfm']) {
        const fields = { ...bulkValues(context.family.name), operationType };
        const { submitted } = await runBulk(context, () => context.send('bulkSubmit', { fields }));
        context.observe(`operationType ${operationType}`, submitted.status);
      }
    },
  },
  'G-09': { slug: 'authentication', look: headed('login headers', /^(www-authenticate|set-cookie)$/) },
  'G-10': {
    slug: 'permissions',
    look: async (context) => {
      if (context.run.answers().records === 0) await context.send('list');
      const seen = Object.entries(context.run.answers().statuses);
      const forbidden = seen.flatMap(([op, counts]) => ('403' in counts || '401' in counts ? [op] : []));
      context.observe('operations refused for want of permission', forbidden);
    },
  },
  'G-11': { slug: 'events', look: headed('headers that offer events', /^(upgrade|x-.*event.*|.*webhook.*)$/) },
  'G-12': {
    slug: 'error-answers',
    look: async (context) => {
      const bad = [await context.send('list', { extra: [['filter', 'cfm']] })];
      if (hasOp(context.family, 'read')) bad.push(await context.send('read', { id: UNKNOWN_ID }));
      for (const answer of bad) {
        const type = answer.headers['content-type'] ?? null;
        context.observe(answer.request.op, { status: answer.status, root: rootOf(answer) ?? null, type });
      }
    },
  },
  'G-13': {
    slug: 'page-and-size',
    look: async (context) => {
      const plain = await context.send('list');
      const large = await context.send('list', { list: { size: 1000 } });
      context.observe('entries without a size', entriesOf(plain)?.length ?? null);
      const beyond = await context.send('list', { list: { size: 20, page: 5000 } });
      for (const [asked, answer] of Object.entries({ 'size 1000': large, 'page past the end': beyond }))
        context.observe(asked, { status: answer.status, entries: entriesOf(answer)?.length ?? null });
    },
  },
  'G-14': { slug: 'rate-limits', look: headed('rate headers', /^(retry-after|(x-)?rate-?limit.*)$/) },
  'G-15': {
    slug: 'version-selection',
    look: async (context) => {
      const { mediaType } = vendorFacts(context.family.name);
      for (const ersMediaType of [mediaType, mediaType.replace(/[\d.]+$/, '99.9')]) {
        const answer = await context.send('list', { headers: { ersMediaType } });
        context.observe(`ERS-Media-Type ${ersMediaType}`, answer.status);
      }
    },
  },
  'G-16': {
    slug: 'version-body',
    appliesTo: (family) => hasOp(family, 'version'),
    look: async (context) => {
      const answer = await context.send('version');
      context.observe('body', isSuccess(answer) ? answer.json : answer.status);
    },
  },
};

export const gapChecks: readonly Check[] = (Object.keys(LOOKS) as GapId[]).map((id) => ({
  id: `gap/${LOOKS[id].slug}`,
  title: `the run records what the specification leaves open: ${GAPS[id].text}`,
  requirement: id,
  level: 'gap',
  appliesTo: LOOKS[id].appliesTo ?? isListed,
  needs: LOOKS[id].needs ?? 'read',
  async run(context) {
    await LOOKS[id].look(context);
    return { verdict: 'info' };
  },
}));
