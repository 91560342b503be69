import type { Exchange } from '../../../lib/client/types.ts';
import type { FamilyTable } from '../../../lib/contract/types.ts';
import { fieldsOf } from '../../../lib/contract/types.ts';
import { entriesOf, isSuccess, recordOf } from '../../../lib/wire/answer.ts';
import type { AnswerLog, Deviation } from '../../kit/check.ts';
import { deviationsOf } from '../../kit/schemas.ts';

/** Different deviations that are kept of a family. */
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
    const count = (kind: keyof typeof counts, isOf: (member: string) => boolean) => {
      if (members.some(isOf)) counts[kind] += 1;
    };
    counts.records += 1;
    count('typed', (member) => member !== 'id' && member in fields);
    count('ids', (member) => member === 'id');
    count('addresses', (member) => fields[member]?.form === 'mac');
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
    log: (): AnswerLog => ({ ...counts, deviations: [...deviations.values()], statuses }),
  };
}
