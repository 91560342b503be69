import { FAMILIES } from '../../../lib/contract/families.ts';
import { type Family, type FamilyTable, fieldsOf, type Op } from '../../../lib/contract/types.ts';
import { vendorFacts } from '../../../lib/contract/vendor.ts';
import type { RequestInput } from '../../../lib/wire/request.ts';
import type { Defect } from '../../../reference/defects/defect.ts';
import type { Place } from '../../../reference/defects/generated/line.ts';
import { bareTarget } from '../bare-target.ts';

const TABLE: FamilyTable = FAMILIES;
const CONNECTIONS = { a: {}, b: {} };
type Fields = Readonly<Record<string, unknown>>;
export const rowOf = (family: string) => TABLE[family] as Family;
const nameMember = (family: string) => vendorFacts(family).unique?.[0] ?? 'name';
/** Families that can be written and whose records a family shows. */
export const owners = (family: string) =>
  (rowOf(family).viewOf ?? [family]).filter((name) => rowOf(name).ops.includes('create'));
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Requests to one deployment, with all answers kept. */
export function talkTo(defect?: Defect) {
  const target = bareTarget(defect);
  const answers: string[] = [];
  let serial = 0;
  const send = async (family: string, op: Op, input: RequestInput = {}, connection: 'a' | 'b' = 'a') => {
    if (!rowOf(family).ops.includes(op) || input.id === '') return '';
    const answer = await target.send({ family, op, input, connection: CONNECTIONS[connection], beside: false });
    answers.push(`${family} ${op} ${JSON.stringify(input)}: ${answer}`);
    return answer;
  };
  const list = (family: string, query: string, connection: 'a' | 'b' = 'a') => {
    const extra =
      query === '' ? [] : query.split('&').map((part) => part.split(/=(.*)/s).slice(0, 2) as [string, string]);
    return send(family, 'list', { extra }, connection);
  };
  /** A body with this text in every free text. */
  const body = (family: string, name: string, text = name): Record<string, unknown> => {
    serial += 1;
    const members = Object.entries(fieldsOf(rowOf(family))).flatMap(
      ([member, { type, sentOn }]): [string, unknown][] => {
        if (sentOn !== undefined || vendorFacts(family).serverFilled?.includes(member)) return [];
        if (typeof type === 'object') return [[member, 'oneOf' in type ? type.oneOf[0] : 1000 + serial]];
        if (type === 'string') return [[member, text]];
        return type === 'boolean' ? [[member, true]] : [];
      },
    );
    return { ...Object.fromEntries(members), [nameMember(family)]: name };
  };
  const make = async (family: string, fields: Fields, input: RequestInput = {}) => {
    await send(family, 'create', { fields, ...input });
    return target.lastMade();
  };
  const bulk = async (family: string, resourcesList: readonly Fields[], headers: RequestInput['headers'] = {}) => {
    const fields = { operationType: 'create', resourceMediaType: vendorFacts(family).mediaType, resourcesList };
    const before = recordsOf(family).length;
    await send(family, 'bulkSubmit', { fields, headers });
    for (let tries = 0; tries < 20 && recordsOf(family).length === before; tries += 1) await wait(20);
  };
  const recordsOf = (family: string) => [...target.seams.store.list(family).pieces()].flat();
  /** Every way to look at the records of a family: those with these ids by read, and those with these values by filter. */
  const look = async (
    family: string,
    ids: readonly string[],
    values: readonly string[] = [],
    from: 'a' | 'b' = 'a',
  ) => {
    const row = rowOf(family);
    await list(family, 'size=100', from);
    for (const field of row.sorts)
      for (const by of ['sortasc', 'sortdsc']) await list(family, `${by}=${field}&size=100`, from);
    for (const field of row.filters)
      for (const value of values) await list(family, `filter=${field}.EQ.${value}&size=100`, from);
    await list(family, `filter=${row.filters[0]}.NEQ.zzz&size=100`, from);
    for (const id of ids) await send(family, 'read', { id }, from);
  };
  const apply = (op: 'apply' | 'clear', items: Fields) =>
    send('ancendpoint', op, {
      fields: { additionalData: Object.entries(items).map(([name, value]) => ({ name, value })) },
    });
  return { answers, send, list, body, make, bulk, look, apply, recordsOf, wait };
}
export type Talk = ReturnType<typeof talkTo>;
/** What is asked, one request after the other, to see a mistake at a place. */
export type Story = (talk: Talk, place: Place) => Promise<void>;
