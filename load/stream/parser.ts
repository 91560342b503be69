import { localNumber, type Share, shareOf, WHOLE } from '../../lib/records/merge/segments.ts';
import { ANSWER_CODES, METADATA, RAMP_TAG, TRANSACTION_NAME } from '../../lib/wire/scenario.ts';
import { codeNumber, countAlike, mark, placeOfMessage, SEEN, type StreamTable } from './table.ts';

const LEADING = ['metric_name', 'timestamp', 'metric_value'];
/** Tags the samples are told apart by; k6 writes these and no others. */
export const SYSTEM_TAGS = ['error_code', 'expected_response', 'name', 'status'] as const;
const HEADER = [...LEADING, ...SYSTEM_TAGS, 'extra_tags', 'metadata'];
const [ERROR_CODE, NAME, STATUS, EXTRA_TAGS, METADATA_COLUMN] = [3, 5, 6, 7, 8] as const;
const RAMP = `phase=${RAMP_TAG.phase}`;
/** Rounding of the scenario's own arithmetic. */
const ORIGIN_TOLERANCE_US = 2;
/** Metrics that k6 writes for an iteration or a second, and that no figure is made of. */
const OTHERS =
  /^(http_req_(connecting|tls_handshaking|sending|waiting|receiving|failed)|data_sent|data_received|vus|vus_max),/;

function metadataOf(metadata: string, key: string): string | undefined {
  const at = metadata.startsWith(`${key}=`) ? 0 : metadata.indexOf(`&${key}=`) + 1;
  if (at === 0 && !metadata.startsWith(`${key}=`)) return undefined;
  const from = at + key.length + 1;
  const to = metadata.indexOf('&', from);
  return to === -1 ? metadata.slice(from) : metadata.slice(from, to);
}

function numberOf(text: string | undefined): number {
  return text === undefined || text === '' ? Number.NaN : Number(text);
}

function takeOrigin(table: StreamTable, metadata: string, seq: number, periodUs: number): boolean {
  const origin = numberOf(metadataOf(metadata, METADATA.due)) - seq * periodUs;
  if (Number.isNaN(table.originUs)) table.originUs = Math.round(origin);
  return Math.abs(origin - table.originUs) <= ORIGIN_TOLERANCE_US;
}

/** k6's codes for a connection that could not be made: 1200 to 1219. */
const REFUSED = [1200, 1219] as const;

function countEnding({ endings }: StreamTable, status: number, errorCode: number): void {
  endings.ended += 1;
  if (status === 401) endings.unauthorized += 1;
  if (status === 403) endings.forbidden += 1;
  if (status >= 500) endings.serverErrors += 1;
  if (status === 0 && errorCode >= REFUSED[0] && errorCode <= REFUSED[1]) endings.refused += 1;
}

function takeDuration(table: StreamTable, cells: readonly string[], seq: number, periodUs: number): boolean {
  const metadata = cells[METADATA_COLUMN] ?? '';
  const endUs = numberOf(cells[1]);
  const serviceUs = Math.round(numberOf(cells[2]) * 1000);
  const status = numberOf(cells[STATUS]);
  if (!(endUs > 0 && serviceUs >= 0 && status >= 0) || !takeOrigin(table, metadata, seq, periodUs)) return false;
  if (!mark(table, seq, SEEN.duration)) return false;
  const { columns } = table;
  if (endUs > table.newestUs) table.newestUs = endUs;
  columns.endUs[seq] = endUs;
  columns.serviceUs[seq] = serviceUs;
  columns.status[seq] = status;
  columns.errorCode[seq] = Number(cells[ERROR_CODE] ?? 0) || 0;
  columns.waitUs[seq] = numberOf(metadataOf(metadata, METADATA.wait)) || 0;
  table.recentUs.push(serviceUs);
  if (status < 200 || status > 299) table.failed += 1;
  countEnding(table, status, columns.errorCode[seq] ?? 0);
  return true;
}

function takeIteration(table: StreamTable, cells: readonly string[], seq: number): boolean {
  const metadata = cells[METADATA_COLUMN] ?? '';
  const startUs = numberOf(cells[1]) - Math.round(numberOf(cells[2]) * 1000);
  if (!(startUs > 0) || !mark(table, seq, SEEN.iteration)) return false;
  table.columns.iterationStartUs[seq] = startUs;
  takeClock(table, numberOf(metadataOf(metadata, METADATA.clock)));
  const code = metadataOf(metadata, METADATA.code) ?? '';
  table.columns.code[seq] = codeNumber(code);
  table.columns.said[seq] = takeSaid(table, metadata, code);
  if (code === ANSWER_CODES.ok && seq > table.newestOk) table.newestOk = seq;
  return true;
}

function takeSaid({ messages }: StreamTable, metadata: string, code: string): number {
  const place = placeOfMessage(messages, metadataOf(metadata, METADATA.said));
  countAlike(messages, place, code);
  return place;
}

function takeClock({ clockUs }: StreamTable, offsetUs: number): void {
  if (Number.isNaN(offsetUs)) return;
  clockUs.least = Number.isNaN(clockUs.least) ? offsetUs : Math.min(clockUs.least, offsetUs);
  clockUs.most = Number.isNaN(clockUs.most) ? offsetUs : Math.max(clockUs.most, offsetUs);
}

function takeBlocked(table: StreamTable, cells: readonly string[], seq: number): boolean {
  const blockedUs = Math.round(numberOf(cells[2]) * 1000);
  if (!(blockedUs >= 0) || !mark(table, seq, SEEN.blocked)) return false;
  table.columns.blockedUs[seq] = blockedUs;
  return true;
}

function takeDrops(table: StreamTable, cells: readonly string[]): boolean {
  const [at, count] = [numberOf(cells[1]), numberOf(cells[2])];
  if (!(at > 0 && Number.isInteger(count) && count > 0)) return false;
  if (at > table.newestUs) table.newestUs = at;
  for (let index = 0; index < count; index += 1) table.dropsUs.push(at);
  return true;
}

/** k6 does not say which scenario dropped an arrival: those before the steady state began were of the ramp-up. */
function giveDropsToRamp(table: StreamTable): void {
  if (!table.ramp.seen) return;
  const steady = table.dropsUs.filter((atUs) => atUs >= table.originUs);
  table.ramp.dropped = table.dropsUs.length - steady.length;
  table.dropsUs = steady;
}

/** Takes a row of the ramp-up, which has no place in the schedule: it counts for stop rules, and for what its endpoints hold. */
function takeRamp(table: StreamTable, cells: readonly string[]): boolean {
  const { ramp } = table;
  const value = numberOf(cells[2]);
  ramp.seen = true;
  if (cells[0] === 'http_req_duration' && cells[NAME] === TRANSACTION_NAME) {
    table.recentUs.push(Math.round(value * 1000));
    countEnding(table, numberOf(cells[STATUS]), Number(cells[ERROR_CODE] ?? 0) || 0);
  }
  if (cells[0] === 'iteration_duration') {
    const metadata = cells[METADATA_COLUMN] ?? '';
    const seq = numberOf(metadataOf(metadata, METADATA.seq));
    if (!(seq >= 0)) return false;
    const code = metadataOf(metadata, METADATA.code) ?? '';
    takeSaid(table, metadata, code);
    if (code === ANSWER_CODES.ok) ramp.succeeded.push(seq);
    else ramp.failed += 1;
  }
  return true;
}

/** Takes one row; false if it is not one that k6 writes. */
function takeRow(table: StreamTable, line: string, periodUs: number, shareFor: (seq: number) => Share): boolean {
  if (OTHERS.test(line)) return true;
  const cells = line.split(',');
  if (cells.length !== HEADER.length) return false;
  const [metric] = cells;
  if (cells[EXTRA_TAGS]?.includes(RAMP) === true) return takeRamp(table, cells);
  // Numbers are unique across segments, and striped; one that is not of this share becomes a fraction, which no row may have.
  const number = numberOf(metadataOf(cells[METADATA_COLUMN] ?? '', METADATA.seq));
  const seq = localNumber(shareFor(number), number);
  switch (metric) {
    case 'dropped_iterations':
      return takeDrops(table, cells);
    case 'iteration_duration':
      return takeIteration(table, cells, seq);
    case 'iterations':
      table.iterations += 1;
      return cells[2] === '1.000000';
    case 'http_reqs':
    case 'http_req_duration':
    case 'http_req_blocked':
      // Requests that fetch a token are not transactions.
      if (cells[NAME] !== TRANSACTION_NAME) return true;
      if (metric === 'http_req_duration') return takeDuration(table, cells, seq, periodUs);
      if (metric === 'http_req_blocked') return takeBlocked(table, cells, seq);
      table.requests += 1;
      return true;
    default:
      return false;
  }
}

/** Fills the table from k6's CSV, in chunks cut anywhere; counts unreadable rows. The first row may tell which share it is. */
export function createParser(table: StreamTable, periodNs: number, given: Share | Pick<Share, 'of'> = WHOLE) {
  const decoder = new TextDecoder('latin1');
  const header = HEADER.join(',');
  let carry = '';
  let started = false;
  let share = 'index' in given ? given : undefined;
  const shareFor = (seq: number): Share => {
    if (share === undefined && seq >= 0) share = shareOf(seq, given.of);
    return share ?? WHOLE;
  };
  const line = (text: string) => {
    if (!started) {
      started = true;
      if (text !== header) table.malformed += 1;
      return;
    }
    table.rows += 1;
    if (!takeRow(table, text, periodNs / 1000, shareFor)) table.malformed += 1;
  };
  return {
    push(chunk: Uint8Array): void {
      const text = carry + decoder.decode(chunk);
      let from = 0;
      for (let to = text.indexOf('\n'); to !== -1; to = text.indexOf('\n', from)) {
        line(text.slice(from, to));
        from = to + 1;
      }
      carry = text.slice(from);
    },
    /** To be called once, after the last chunk. True if the last line was whole and the header was there. */
    end(): boolean {
      giveDropsToRamp(table);
      return started && carry === '';
    },
    share: () => share,
  };
}
