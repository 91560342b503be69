import type { Recordable } from '../../../lib/client/types.ts';
import type { ExchangeRecord } from '../../../lib/records/conformance.ts';
import type { Grounds } from '../../../lib/records/histories.ts';
import { isOfEndpoint, isTaken, restsOn, writtenId } from '../../../lib/records/rests-on.ts';

/** Bytes of exchanges that wait at most; beyond it the oldest are forgotten. */
const MOST_BYTES = 96 * 1024 * 1024;

const LONGEST_CHAIN = 24;
const CHAIN_HEAD = 4;

/** Name among the members of a record, whatever the family calls it. */
const nameIn = (sent: Readonly<Record<string, unknown>>): string =>
  String(Object.entries(sent).find(([member]) => /name$/i.test(member))?.[1] ?? '');

/** Exchanges wait in memory until their family is done; telling ones go to `sink`. A write waits while a later failure may rest on it. */
export function openEvidence(sink: (record: ExchangeRecord) => void, mostBytes = MOST_BYTES) {
  const waiting = new Map<string, Recordable>();
  /** Writes that were taken, in order; records that were removed. */
  const [writes, gone] = [new Set<string>(), new Set<string>()];
  /** What is written by now, as far as a later failure may name it. */
  const written = new Map<string, Pick<ExchangeRecord, 'at' | 'path' | 'family' | 'requestBody' | 'responseBody'>>();
  let bytes = 0;
  const forget = (id: string) => {
    bytes -= waiting.get(id)?.bytes ?? 0;
    waiting.delete(id);
    writes.delete(id);
  };
  const recordsOf = (ids: Iterable<string>) => [...ids].flatMap((id) => waiting.get(id)?.record() ?? []);
  const stands = (id: string) => {
    const [record] = writes.has(id) ? recordsOf([id]) : [];
    return record !== undefined && (isOfEndpoint(record) || !gone.has(writtenId(record) ?? ''));
  };
  /** Notes a write that was taken, with its record, as it is looked at again and again. */
  const noted = (sent: Recordable): Recordable => {
    if (sent.method === 'GET') return sent;
    const record = sent.record();
    if (!isTaken(record)) return sent;
    writes.add(sent.id);
    const id = writtenId(record);
    if (id !== undefined && record.method === 'DELETE') gone.add(id);
    else gone.delete(id ?? '');
    return { ...sent, record: () => record };
  };
  return {
    capture(sent: Recordable): void {
      waiting.set(sent.id, noted(sent));
      bytes += sent.bytes;
      for (const id of waiting.keys()) {
        if (bytes <= mostBytes) break;
        forget(id);
      }
    },
    /** Of a long chain: its first ids, those that wrote, and its last ones. A look is repeated until time is up, a write is not. */
    short(ids: readonly string[]): string[] {
      if (ids.length <= LONGEST_CHAIN) return [...ids];
      const isWrite = (id: string) => (waiting.get(id)?.method ?? 'GET') !== 'GET';
      const rest = ids.slice(CHAIN_HEAD);
      const writes = rest.filter(isWrite).slice(CHAIN_HEAD - LONGEST_CHAIN);
      const looks = rest.filter((id) => !isWrite(id));
      const room = LONGEST_CHAIN - CHAIN_HEAD - writes.length;
      const kept = new Set([...writes, ...looks.slice(looks.length - room)]);
      return ids.filter((id, at) => at < CHAIN_HEAD || kept.has(id));
    },
    /** The ids, with earlier writes they rest on: to records that requests and grounds name, and creates of records in answers. */
    withWrites(ids: readonly string[], grounds?: Pick<Grounds, 'writes'>): readonly string[] {
      const shown = ids.flatMap((id) => waiting.get(id)?.record() ?? written.get(id) ?? []);
      const last = shown.map(({ at }) => at).reduce((one, other) => (one > other ? one : other), '');
      const before = recordsOf(writes).filter(({ at }) => at <= last);
      const of = grounds?.writes ?? [];
      const requests = [...shown, ...of.map(({ id, family }) => ({ path: id, family }))];
      const beside =
        grounds === undefined ? shown.map(({ responseBody }) => ({ path: '', requestBody: responseBody })) : [];
      const names = new Map(of.filter(({ bulk }) => bulk).map(({ id, sent }) => [id, nameIn(sent)]));
      return [...restsOn(requests, before, { beside, names }).map(({ id }) => id), ...ids];
    },
    write(ids: readonly string[]): void {
      for (const id of ids) {
        const sent = waiting.get(id);
        if (sent === undefined || written.has(id)) continue;
        const record = sent.record();
        sink(record);
        written.set(id, { ...record, responseBody: '' });
        if (!writes.has(id)) forget(id);
      }
    },
    /** Forgets those of these ids that were not written, and of which nothing stands. */
    drop(ids: readonly string[]): void {
      for (const id of ids) if (!stands(id)) forget(id);
    },
  };
}
export type Evidence = ReturnType<typeof openEvidence>;
