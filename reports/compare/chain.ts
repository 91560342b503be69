import type { ExchangeRecord } from '../../lib/records/conformance.ts';
import { withoutIds } from '../../lib/text.ts';

const RUN_NAME = /cfm(?:-[0-9a-z]{8}-|[0-9a-z]{8})/gi;

/** An exchange without what differs between any two runs: ids of records and the prefix of names. */
function stepOf({ method, path, status, fault }: ExchangeRecord): string {
  const plain = withoutIds(path).replace(RUN_NAME, 'cfm{run}');
  return `${method} ${plain} → ${fault ?? status}`;
}

/** Lays two chains of exchanges side by side, step by step; null where a side has no such step. */
export function compareChains(before: readonly ExchangeRecord[], after: readonly ExchangeRecord[]) {
  return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => {
    const [a, b] = [before[index], after[index]].map((exchange) => (exchange === undefined ? null : stepOf(exchange)));
    return { before: a ?? null, after: b ?? null, same: a === b };
  });
}
