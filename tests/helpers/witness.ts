import { FAMILIES } from '../../lib/contract/families.ts';
import { OPERATOR_NAMES } from '../../lib/contract/list.ts';
import { type Family, type FamilyTable, fieldsOf } from '../../lib/contract/types.ts';
import { vendorFacts } from '../../lib/contract/vendor.ts';
import { seededRandom } from '../../lib/random.ts';
import { macOf } from '../../lib/wire/endpoint.ts';
import type { RequestInput } from '../../lib/wire/request.ts';
import { familiesOf, generate } from '../../reference/defects/generated/generated.ts';
import type { Line } from '../../reference/defects/generated/line.ts';
import { POLICIES } from '../../reference/deployment.ts';
import { bareTarget, type Step } from './bare-target.ts';

/** Texts that mistakes have been seen to confuse with something else. */
const TEXTS = [
  'plain',
  'plain text',
  'Plain Text',
  'PLAIN',
  '007',
  '42',
  'true',
  'null',
  ' ends blank ',
  'two  blanks',
  'Zürich straße',
  'a😀b',
  'say "it\'s"',
  'a&b <c> &amp; d',
  '100 %+b_%41',
  'one.two.three',
  'a,b;c',
  'a/b\\c',
  'name.EQ.x OR y',
  'ABC.DEF',
  'l'.repeat(60),
  'l'.repeat(300),
  'l'.repeat(1200),
  '',
];

const TABLE: FamilyTable = FAMILIES;
const CONNECTIONS = [{}, {}];

type Random = () => number;
const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
const often = (random: Random, share: number) => random() < share;

function fieldsFor(family: string, row: Family, random: Random, serial: number, on: 'create' | 'update') {
  const fields: Record<string, unknown> = {};
  for (const [name, { type, sentOn }] of Object.entries(fieldsOf(row))) {
    if (sentOn !== undefined || (on === 'update' && !often(random, 0.5))) continue;
    if (vendorFacts(family).serverFilled?.includes(name) === true) continue;
    if (type === 'string')
      fields[name] = /name$/i.test(name)
        ? `${pick(random, TEXTS)}${serial}${pick(random, ['', ' ', '.x'])}`
        : pick(random, TEXTS);
    else if (type === 'boolean') fields[name] = often(random, 0.5);
    else if (type === 'object') fields[name] = { a: { b: serial }, c: pick(random, TEXTS) };
    else if (type === 'object[]') fields[name] = [{ a: serial }, { b: 2 }];
    else if (typeof type === 'object' && 'oneOf' in type)
      fields[name] = often(random, 0.05) ? 'NONE' : pick(random, type.oneOf);
    else if (typeof type === 'object')
      fields[name] = often(random, 0.1)
        ? pick(random, [32_767, 70_000])
        : pick(random, [2, 9, 99, 1000, 32_700, 40_000, 65_000]) + serial;
  }
  return fields;
}

function headersFor(family: string, random: Random): RequestInput['headers'] {
  return {
    ...(often(random, 0.15) ? { ersMediaType: vendorFacts(family).mediaType } : {}),
    ...(often(random, 0.15) ? { csrfToken: 'none' } : {}),
    ...(often(random, 0.2) ? { accept: 'application/xml' } : {}),
  };
}

/** The one at stake, half of the time. */
const wanted = <T extends string>(random: Random, one: string | number | undefined, all: readonly T[]): T =>
  all.includes(one as T) && often(random, 0.6) ? (one as T) : pick(random, all);

function listFor({ place }: Line, row: Family, random: Random, words: readonly string[]): RequestInput['list'] {
  const filter = () => ({
    field: wanted(random, place['field'], row.filters),
    operator: wanted(random, place['operator'], OPERATOR_NAMES),
    value: pick(random, [
      ...words,
      ...TEXTS.filter((text) => text !== ''),
      '9',
      '40000',
      '-3',
      '65600',
      '3000000000',
      'true',
    ]),
  });
  const count = pick(random, [0, 0, 1, 1, 1, 2, 3]);
  const sort = row.sorts.length > 0 && often(random, 0.4) ? wanted(random, place['field'], row.sorts) : undefined;
  return {
    ...(count === 0 ? {} : { filters: Array.from({ length: count }, filter) }),
    ...(count > 1 && often(random, 0.5) ? { join: 'or' as const } : {}),
    ...(sort === undefined ? {} : often(random, 0.5) ? { sortAsc: sort } : { sortDsc: sort }),
    ...(often(random, 0.5) ? { size: pick(random, [1, 3, 10, 50]) } : {}),
    ...(often(random, 0.35) ? { page: pick(random, [1, 2, 3]) } : {}),
  };
}

function bulkFor(
  family: string,
  row: Family,
  records: readonly { readonly id: string }[],
  random: Random,
  serial: number,
) {
  const operationType = pick(random, ['create', 'update', 'delete'] as const);
  const some = [...records].slice(-3);
  const item = (_: unknown, index: number) => fieldsFor(family, row, random, 10_000 + serial * 5 + index, 'create');
  const made = Array.from({ length: 3 }, item);
  return {
    operationType,
    resourceMediaType: vendorFacts(family).mediaType,
    ...(operationType === 'delete' ? { idList: some.map(({ id }) => id) } : {}),
    ...(operationType === 'create' ? { resourcesList: made } : {}),
    ...(operationType === 'update' ? { resourcesList: some.map(({ id }, index) => ({ ...made[index], id })) } : {}),
  };
}

/** Operands that a value may be confused by. */
function wordsAbout(value: unknown): string[] {
  if (typeof value === 'number') return [0, 2 ** 15, 2 ** 16, 2 ** 32].map((more) => String(value + more));
  if (typeof value !== 'string' || value === '') return [];
  const parts = [value, value.slice(0, 40), value.slice(-3), value.slice(0, 3)];
  return [
    ...parts,
    `_${value.slice(1)}`,
    `${value.slice(0, 2)}%`,
    `%${value.charCodeAt(0).toString(16)}${value.slice(1)}`,
  ];
}

/** One random request to a family, from what the clean deployment holds. */
function stepOf(
  line: Line,
  clean: ReturnType<typeof bareTarget>,
  random: Random,
  serial: number,
  gone: string[],
): Step {
  const names = familiesOf(line);
  const family = often(random, 0.7) ? line.place.family : pick(random, names);
  const row = TABLE[family] as Family;
  const records = [...clean.seams.store.list(family).pieces()].flat();
  const grown = records.length >= 40 || (records.length > 10 && often(random, 0.2));
  const wanted = grown
    ? ['delete', 'update', 'list', 'read']
    : ['create', 'create', 'update', 'list', 'list', 'read', 'apply'];
  const op = pick(random, often(random, 0.6) ? row.ops.filter((each) => wanted.includes(each)) : row.ops) ?? 'list';
  const common = { connection: pick(random, CONNECTIONS), beside: often(random, 0.1) };
  const id = often(random, 0.08)
    ? '11111111-1111-4111-8111-111111111111'
    : (records.at(often(random, 0.3) ? -1 : Math.floor(random() * records.length))?.id ?? 'none');
  const old = records.find((record) => record.id === id);
  const headers = headersFor(family, random) ?? {};
  const extra = often(random, 0.15) ? { extra: [['passed', 'through'] as const] } : {};
  const format = often(random, 0.25) ? ('xml' as const) : ('json' as const);
  const made = () => {
    const fields = fieldsFor(family, row, random, serial, op === 'update' ? 'update' : 'create');
    const member = Object.keys(fields).find((name) => /name$/i.test(name));
    // A name that a removed record had.
    if (member !== undefined && gone.length > 0 && often(random, 0.3)) fields[member] = pick(random, gone);
    return fields;
  };
  const words = records.flatMap((record) => Object.values(record).flatMap((value) => wordsAbout(value)));
  const input = ((): RequestInput => {
    if (op === 'list') return { list: listFor(line, row, random, words) ?? {} };
    if (op === 'create') return { fields: made(), format };
    if (op === 'update')
      return {
        id,
        fields: { ...(often(random, 0.5) && old !== undefined ? { name: old['name'] } : {}), ...made() },
        format,
      };
    if (op === 'delete' && old !== undefined) gone.push(String(old['sxpVpnName'] ?? old['name']));
    if (op === 'read' || op === 'delete') return { id };
    if (op === 'readByName') return { name: pick(random, ['ise-node-1', 'ise-node-2', 'none']) };
    if (op === 'apply' || op === 'clear') {
      const many = often(random, 0.3) ? 2 : 1;
      const items = Array.from({ length: many }, (_, index) => (serial + index) % 40).flatMap((index) => [
        op === 'apply' && often(random, 0.3)
          ? { name: 'ipAddress', value: `10.0.0.${index}` }
          : { name: 'macAddress', value: macOf(index) },
        ...(op === 'apply' ? [{ name: 'policyName', value: pick(random, POLICIES) }] : []),
      ]);
      return { fields: { additionalData: items } };
    }
    if (op === 'bulkSubmit') return { fields: bulkFor(family, row, records, random, serial) };
    if (op === 'bulkMonitor') return { bulkId: '1' };
    return {};
  })();
  return { family, op, input: { ...input, ...extra, headers }, ...common };
}

/** Sends the same random requests to both; true as soon as an answer differs. */
export async function isObservable(line: Line, steps: number, seed: number): Promise<boolean> {
  const [clean, spoiled] = [bareTarget(), bareTarget(generate(line).defect)];
  const gone: string[] = [];
  const isBulk = /^bulk/.test(line.operator) || line.place['by'] === 'bulkSubmit' || line.place['op'] === 'bulkSubmit';

  const random = seededRandom(seed);
  let waiting: Promise<boolean>[] = [];
  for (let serial = 0; serial < steps; serial += 1) {
    const step = stepOf(line, clean, random, serial, gone);
    if (/^bulk/.test(step.op)) {
      if (!isBulk || often(random, 0.7)) continue;
      const answers = await Promise.all([clean, spoiled].map(({ send }) => send(step)));
      if (answers[0] !== answers[1]) return true;
      await new Promise((resolve) => setTimeout(resolve, 50));
      const shown = await Promise.all(
        [clean, spoiled].map(({ send, lastBulk }) =>
          send({ ...step, op: 'bulkMonitor', input: { bulkId: lastBulk() } }),
        ),
      );
      if (shown[0] !== shown[1]) return true;
      continue;
    }
    waiting.push(Promise.all([clean.send(step), spoiled.send(step)]).then(([left, right]) => left !== right));
    if (step.beside) continue;
    const differs = await Promise.all(waiting);
    waiting = [];
    if (differs.includes(true)) return true;
    if (step.op !== 'create' && step.op !== 'update') continue;
    const id = step.input.id ?? clean.lastMade();
    for (const accept of ['application/json', 'application/xml']) {
      if (id === '') continue;
      const read: Step = { ...step, op: 'read', input: { id, headers: { accept } } };
      const [left, right] = await Promise.all([clean.send(read), spoiled.send(read)]);
      if (left !== right) return true;
    }
  }
  return false;
}
