import type { Exchange } from '../../../lib/client/types.ts';
import type { AcknowledgedWrite, WriteLog } from '../../kit/check.ts';

/** Collects the creates and deletes that a run prepares and tears down with, and which of them did not happen. */
export function writeCollector() {
  const logs = new Map<string, { acknowledged: number; broken: { observed: string; exchange: Exchange }[] }>();
  const logOf = (family: string, op: AcknowledgedWrite) => {
    const key = `${family} ${op}`;
    const log = logs.get(key) ?? { acknowledged: 0, broken: [] };
    logs.set(key, log);
    return log;
  };
  const inARow = new Map<string, number>();
  return {
    /** Takes in whether a record of the family could not be removed; returns how many in a row could not. */
    kept(family: string, isKept: boolean): number {
      inARow.set(family, isKept ? (inARow.get(family) ?? 0) + 1 : 0);
      return inARow.get(family) ?? 0;
    },
    /** A write that was answered 2xx; `missing` says what shows that it did not happen. */
    add(family: string, op: AcknowledgedWrite, exchange: Exchange, missing?: string): void {
      const log = logOf(family, op);
      log.acknowledged += 1;
      if (missing !== undefined) log.broken.push({ observed: missing, exchange });
    },
    log: logOf as (family: string, op: AcknowledgedWrite) => WriteLog,
  };
}
export type WriteCollector = ReturnType<typeof writeCollector>;
