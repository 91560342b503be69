import type { Recordable } from '../../../lib/client/types.ts';
import type { ExchangeRecord } from '../../../lib/records/conformance.ts';

/** Bytes of exchanges that wait at most; beyond it the oldest are forgotten. */
const MOST_BYTES = 96 * 1024 * 1024;

const LONGEST_CHAIN = 24;
const CHAIN_HEAD = 4;

/**
 * Keeps the run folder small: exchanges wait in memory, and only those that show something are written, by `sink`. What waits
 * is dropped when the family that sent it is done.
 */
export function openEvidence(sink: (record: ExchangeRecord) => void, mostBytes = MOST_BYTES) {
  const waiting = new Map<string, Recordable>();
  let bytes = 0;
  const forget = (id: string) => {
    bytes -= waiting.get(id)?.bytes ?? 0;
    waiting.delete(id);
  };
  return {
    /** Given to the client as `onExchange`. */
    capture(sent: Recordable): void {
      waiting.set(sent.id, sent);
      bytes += sent.bytes;
      for (const id of waiting.keys()) {
        if (bytes <= mostBytes) break;
        forget(id);
      }
    },
    /** Of a long chain: its first ids, those that wrote, and its last ones. A look is repeated until time is up, a write is not. */
    short(ids: readonly string[]): string[] {
      if (ids.length <= LONGEST_CHAIN) return [...ids];
      const isWrite = (id: string) => (waiting.get(id)?.record().method ?? 'GET') !== 'GET';
      const writes = ids
        .slice(CHAIN_HEAD)
        .filter(isWrite)
        .slice(CHAIN_HEAD - LONGEST_CHAIN);
      const looks = ids.slice(CHAIN_HEAD).filter((id) => !isWrite(id));
      const room = LONGEST_CHAIN - CHAIN_HEAD - writes.length;
      const kept = new Set([...writes, ...looks.slice(looks.length - room)]);
      return ids.filter((id, at) => at < CHAIN_HEAD || kept.has(id));
    },
    /** Writes the exchanges with these ids, in order, each once. */
    write(ids: readonly string[]): void {
      for (const id of ids) {
        const sent = waiting.get(id);
        if (sent === undefined) continue;
        sink(sent.record());
        forget(id);
      }
    },
    /** Forgets those of these ids that were not written. */
    drop(ids: readonly string[]): void {
      for (const id of ids) forget(id);
    },
  };
}
export type Evidence = ReturnType<typeof openEvidence>;
