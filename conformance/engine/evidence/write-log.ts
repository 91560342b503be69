import type { Exchange } from '../../../lib/client/types.ts';
import { isDone } from '../../../lib/wire/answer.ts';
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
  return {
    /** A write that was answered 2xx; `missing` says what shows that it did not happen. */
    add(family: string, op: AcknowledgedWrite, exchange: Exchange, missing?: string): void {
      if (missing !== undefined && !isDone(exchange)) return;
      const log = logOf(family, op);
      log.acknowledged += 1;
      if (missing !== undefined) log.broken.push({ observed: missing, exchange });
    },
    log: logOf as (family: string, op: AcknowledgedWrite) => WriteLog,
  };
}
export type WriteCollector = ReturnType<typeof writeCollector>;
