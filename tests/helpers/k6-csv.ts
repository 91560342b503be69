import type { Share } from '../../lib/records/merge/segments.ts';
import { saidWord } from '../../lib/wire/said.ts';
import { createParser } from '../../load/stream/parser.ts';
import { createTable } from '../../load/stream/table.ts';

/** One arrival of a made-up run: started with a lag and a service time, or dropped. */
export type MadeArrival = { readonly dropped?: boolean } & Readonly<
  Partial<Record<'lagUs' | 'serviceUs' | 'status', number>> &
    Partial<Record<'errorCode' | 'code' | 'says' | 'retryAfter', string>>
>;

export const CSV_HEADER =
  'metric_name,timestamp,metric_value,error_code,expected_response,name,status,extra_tags,metadata';
/** Wall clock of the first arrival, microseconds; k6 tells scenarios the whole milliseconds of it. */
const CSV_ORIGIN_US = 1_790_000_000_000_400;

const PARTS = ['duration', 'blocked', 'connecting', 'tls_handshaking', 'sending', 'waiting', 'receiving', 'failed'];
const HTTP_METRICS = ['http_reqs', ...PARTS.map((part) => `http_req_${part}`)];

const milliseconds = (us: number): string => (us / 1000).toFixed(6);

function iterationRows(seq: number, startUs: number, arrival: MadeArrival, periodUs: number): string[] {
  // k6 tells the scenario one start and one period, those of the whole.
  const { serviceUs = 2000, status = 204, errorCode = '', code = 'ok', says, retryAfter } = arrival;
  const told = Math.floor(CSV_ORIGIN_US / 1000) * 1000 + Math.round(seq * periodUs);
  const endUs = startUs + serviceUs;
  const metadata = `seq=${seq}&due=${told}&wait=0`;
  const value: Readonly<Record<string, string>> = { http_reqs: '1.000000', http_req_duration: milliseconds(serviceUs) };
  const http = HTTP_METRICS.map(
    (metric) =>
      `${metric},${endUs},${value[metric] ?? '0.000000'},${errorCode},${status < 400},anc,${status},,code=&${metadata}`,
  );
  const said =
    says === undefined
      ? ''
      : `&said=${saidWord(status, says === '' ? '' : JSON.stringify({ title: says }), retryAfter)}`;
  const tail = (metric: string, figure: string) => `${metric},${endUs},${figure},,,,,,${metadata}&code=${code}${said}`;
  return [
    ...http,
    tail('data_sent', '310.000000'),
    tail('data_received', '111.000000'),
    tail('iteration_duration', milliseconds(endUs - startUs)),
    tail('iterations', '1.000000'),
  ];
}

/** The CSV that k6 writes for a run with these arrivals, in order of the schedule, header and final newline included. The numbers of a segment are striped, and its first arrival comes later. */
export function k6Csv(
  arrivals: readonly MadeArrival[],
  periodUs = 4000,
  { share, wholePeriodUs } = { share: { index: 0, of: 1 }, wholePeriodUs: periodUs },
  dueUs: (tick: number) => number = (tick) => tick * periodUs,
): string {
  let seq = 0;
  const rows = arrivals.flatMap((arrival, tick) => {
    const at = CSV_ORIGIN_US + share.index * wholePeriodUs + dueUs(tick) + (arrival.lagUs ?? 0);
    if (arrival.dropped === true) return [`dropped_iterations,${Math.round(at)},1.000000,,,,,,`];
    const number = share.index + share.of * seq++;
    return iterationRows(number, Math.round(at), arrival, wholePeriodUs);
  });
  return `${[CSV_HEADER, ...rows].join('\n')}\n`;
}

/** The rows as a load reads them, and whether they end as they should; nanoseconds between two arrivals. */
export function readCsv(csv: string, periodNs = 4_000_000, share?: Share) {
  const table = createTable(4);
  const parser = createParser(table, periodNs, share);
  parser.push(new TextEncoder().encode(csv));
  return { whole: parser.end(), table };
}
