import type { Exchange } from '../../../lib/client/types.ts';
import { type FamilyTable, fieldsOf, type Op } from '../../../lib/contract/types.ts';
import { entriesOf, isDone, isSuccess, recordOf } from '../../../lib/wire/answer.ts';
import type { AcknowledgedWrite, AnswerLog, Deviation, FailedOnce, WriteLog } from '../../kit/check.ts';
import { deviationsOf } from '../../kit/schemas.ts';

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

/** Collects, by family and operation, the answers that nothing explained to requests that were taken when they were sent again. */
export function failedOnceCollector() {
  const all = new Map<string, FailedOnce>();
  return {
    add(failed: Exchange): void {
      const { family, op } = failed.request;
      const { first = { ...failed, json: undefined }, times = 0 } = all.get(`${family} ${op}`) ?? {};
      all.set(`${family} ${op}`, { first, times: times + 1 });
    },
    of: (family: string, op: Op): FailedOnce | undefined => all.get(`${family} ${op}`),
  };
}
export type FailedOnceCollector = ReturnType<typeof failedOnceCollector>;

const MOST = 500;

/** Collects what the answers of one family show; answers about other families are judged by their own tables. */
export function answerCollector(table: FamilyTable, own: string) {
  const counts = { records: 0, typed: 0, ids: 0, addresses: 0 };
  const deviations = new Map<string, Deviation & { exchange: Exchange }>();
  const statuses: Record<string, Record<string, number>> = {};
  const judge = (records: readonly unknown[], form: 'record' | 'entry', exchange: Exchange) => {
    const family = table[own];
    if (family === undefined || records.length === 0) return;
    const fields = fieldsOf(family);
    const members = [...new Set(records.flatMap((record) => Object.keys(record as object)))];
    // By answers, and not by records: how many records of others a list holds changes while it is read.
    counts.records += 1;
    counts.typed += Number(members.some((member) => member !== 'id' && member in fields));
    counts.ids += Number(members.includes('id'));
    counts.addresses += Number(members.some((member) => fields[member]?.form === 'mac'));
    for (const deviation of records.flatMap((record) => deviationsOf(family, record, form))) {
      const key = `${deviation.member} ${deviation.tolerated}`;
      // The record of the exchange holds its text: here it only has to be named.
      if (deviations.size < MOST && !deviations.has(key))
        deviations.set(key, { ...deviation, exchange: { ...exchange, body: '', json: undefined } });
    }
  };
  return {
    add(family: string, exchange: Exchange): void {
      if (family !== own) return;
      const { op } = exchange.request;
      const byStatus = statuses[op] ?? {};
      statuses[op] = byStatus;
      byStatus[exchange.status] = (byStatus[exchange.status] ?? 0) + 1;
      if (!isSuccess(exchange)) return;
      if (op === 'list') judge(entriesOf(exchange) ?? [], 'entry', exchange);
      const record = op === 'read' || op === 'readByName' ? recordOf(exchange) : undefined;
      if (record !== undefined) judge([record], 'record', exchange);
    },
    log: (): Omit<AnswerLog, 'failedOnce'> => ({ ...counts, deviations: [...deviations.values()], statuses }),
  };
}
