import { normalAddress } from '../../lib/client/safety/targets.ts';
import { EXIT } from '../../lib/exit-codes.ts';
import { macOf } from '../../lib/wire/endpoint.ts';
import { type Held, LOGIN, POOL_SIZE } from './deployment.ts';
import { type Audited, jsonIn } from './exchange.ts';
import type { RefereeMode } from './scenario.ts';
import { leakIn } from './secrets.ts';
import type { Ended } from './watched-process.ts';

/** A promise that a run broke. */
export interface Violation {
  readonly rule: string;
  readonly what: string;
}

/** Everything the referee saw of one run. */
export interface Sighting {
  readonly mode: RefereeMode;
  readonly ended: Ended;
  readonly audit: readonly Audited[];
  readonly before: readonly Held[];
  readonly after: readonly Held[];
  readonly foreignIds: ReadonlySet<string>;
  /** Ids that were of the run, and were given to records of others. */
  readonly handedIds: ReadonlySet<string>;
  /** When records of the run became somebody else's, by id, monotonic milliseconds. */
  readonly takenAtMs: ReadonlyMap<string, number>;
  /** Requests that came to the other server, with their Authorization header. */
  readonly elsewhere: readonly string[];
  /** Text of every file of the run folder, by its path. */
  readonly files: ReadonlyMap<string, string>;
}

const MEMORY_LIMIT_KIB = 500 * 1024;
/** Files, pipes and sockets at a time: ten connections, the records of a run, and what the program itself takes. */
const MOST_FDS = 120;
/** All files of a run folder. */
const MOST_BYTES = 400 * 1024 * 1024;
/** What a command may end with that no signal ended: anything but a fault of the program itself. */
const CODES: ReadonlySet<number | null> = new Set(Object.values(EXIT).filter((code) => code < EXIT.fault));

const pieces = (url: string) =>
  (url.split(/[?#]/)[0] ?? '').split('/').map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });

/** A run cannot see what happens between its last look and a write. It may trust a look for so long, and a request takes its time. */
const TRUSTED_MS = 7000;

/** True where a write names a record that became somebody else's longer ago than a look is trusted, or that a later look showed to be so. */
function isTaken({ takenAtMs, audit }: Sighting, { atMs, number, asked }: Audited): boolean {
  const id = pieces(asked.url).find((part) => takenAtMs.has(part)) ?? '';
  const since = takenAtMs.get(id);
  if (since === undefined || atMs < since) return false;
  const isShown = (one: Audited) =>
    one.number < number &&
    one.atMs >= since &&
    one.asked.op === 'read' &&
    one.asked.url.includes(id) &&
    one.told.status === 200 &&
    one.told.delivery === undefined &&
    one.mutations.length === 0 &&
    one.told.body.includes('colleague');
  return atMs - since > TRUSTED_MS || audit.some((one) => isShown(one) && atMs - one.atMs > ON_THE_WAY_MS);
}
/** A request may be on its way when the answer to a look comes. */
const ON_THE_WAY_MS = 500;

export function writes(sighting: Sighting): Violation[] {
  const { mode, audit, foreignIds } = sighting;
  const pool = new Set(Array.from({ length: POOL_SIZE }, (_, index) => macOf(index)));
  return audit.flatMap((one): Violation[] => {
    const { method, url, op, body } = one.asked;
    if (method === 'GET') return [];
    const line = `${method} ${url.slice(0, 200)}`;
    const hit = pieces(url).find((part) => foreignIds.has(part));
    const macs = op === 'apply' || op === 'clear' ? (body.match(/\b[0-9a-f]{2}([:-][0-9a-f]{2}){5}\b/gi) ?? []) : [];
    const stray = macs.find((mac) => !pool.has(normalAddress(mac)));
    return [
      ...(mode === 'read-only' ? [{ rule: 'write-in-read-only', what: line }] : []),
      ...(hit === undefined ? [] : [{ rule: 'foreign-write', what: line }]),
      ...(isTaken(sighting, one) ? [{ rule: 'taken-write', what: line }] : []),
      ...(stray === undefined ? [] : [{ rule: 'foreign-endpoint', what: `${line} ${stray}` }]),
    ];
  });
}

export function changes({ before, after }: Sighting): Violation[] {
  const now = new Map(after.map(({ record }) => [record.id, JSON.stringify(record)]));
  return before
    .filter(({ record }) => now.get(record.id) !== JSON.stringify(record))
    .map(({ family, record }) => ({
      rule: 'foreign-changed',
      what: `${family} ${record.id} ${now.has(record.id) ? 'was changed' : 'is gone'}`,
    }));
}

/** True where an answer says, in a way that can be believed, that the record is not there. */
function denies({ asked, told }: Audited): boolean {
  if (told.delivery !== undefined && (told.delivery.silent === true || told.delivery.cutAfter !== undefined))
    return false;
  if (asked.op === 'read') return told.status === 404 || told.status === 410;
  const root = (jsonIn(told) as { SearchResult?: { resources?: unknown } } | undefined)?.SearchResult;
  return told.status === 200 && Array.isArray(root?.resources);
}

/** Whether a run could have known that this record is still there: it was shown, or never asked for, or not denied. */
function couldKnow(id: string, name: string, audit: readonly Audited[]): boolean {
  const last = audit.findLastIndex(
    ({ asked }) => asked.method !== 'GET' && (asked.url.includes(id) || (name !== '' && asked.body.includes(name))),
  );
  const later = audit.slice(last + 1).filter(({ asked }) => asked.method === 'GET');
  if (later.some(({ told }) => told.status === 200 && told.body.includes(id))) return true;
  const asked = later.filter(({ honest }) => honest?.status === 200 && honest.body.includes(id));
  return !asked.some(denies);
}

function leftovers(sighting: Sighting): Violation[] {
  const { after, foreignIds, handedIds, takenAtMs, audit, files, ended } = sighting;
  const end = files.get('records/end.json') ?? '';
  const left = after.filter(
    ({ record }) => ![foreignIds, handedIds, takenAtMs].some((theirs) => theirs.has(record.id)),
  );
  const known = left.filter(({ record }) => couldKnow(record.id, nameOf(record), audit));
  const isListed = ({ record }: Held) =>
    [record.id, nameOf(record), String(record['macAddress'] ?? '')].some(
      (text) => text !== '' && end.includes(JSON.stringify(text).slice(1, -1)),
    );
  const unlisted = known.filter((held) => !isListed(held));
  return [
    ...unlisted.slice(0, 3).map(({ family, record }) => ({
      rule: 'left-and-not-listed',
      what: `${family} ${record.id} ${nameOf(record)} (${unlisted.length} of ${left.length} left; exit ${ended.code})`,
    })),
    ...(known.length > 0 && unlisted.length === 0 && ended.code !== 5
      ? [{ rule: 'left-without-exit-5', what: `${known.length} left, exit ${ended.code}` }]
      : []),
  ];
}

const nameOf = (record: Held['record']) => String(record['name'] ?? record['sxpVpnName'] ?? '');

/** True for a control character, other than a tab, a line feed and a carriage return. */
function acts(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return (code < 0x20 && !'\t\n\r'.includes(character)) || (code >= 0x7f && code <= 0x9f);
}

/** Bytes and line starts that a terminal or a CI system acts on. */
function inert(where: string, text: string): Violation[] {
  const control = [...text].findIndex(acts);
  const command = /^(::\w|##vso\[|##\[)/m.exec(text);
  return [
    ...(control < 0
      ? []
      : [
          {
            rule: 'control-character',
            what: `${where}: ${JSON.stringify([...text].slice(Math.max(0, control - 60), control + 20).join(''))}`,
          },
        ]),
    ...(command === null
      ? []
      : [{ rule: 'ci-command', what: `${where}: ${text.slice(command.index, command.index + 80)}` }]),
  ];
}

export function outputs({ ended, files }: Sighting): Violation[] {
  const texts: [string, string][] = [['stdout', ended.stdout], ['stderr', ended.stderr], ...files];
  const leaks = texts.flatMap(([where, text]) => {
    const leak = leakIn(text, LOGIN);
    return leak === undefined ? [] : [{ rule: 'secret', what: `${where}: ${leak}` }];
  });
  return [...leaks, ...inert('stdout', ended.stdout), ...inert('stderr', ended.stderr)];
}

/** What a process may not do, whatever it was asked. */
export function endings({ code, signal, hung, peakKib, seconds, stderr }: Ended): Violation[] {
  const tail = stderr.slice(-600);
  if (hung) return [{ rule: 'hang', what: `still running after ${seconds.toFixed(0)} s: ${tail}` }];
  return [
    ...(CODES.has(code) ? [] : [{ rule: 'died', what: `exit ${code ?? signal}: ${tail}` }]),
    ...(peakKib > MEMORY_LIMIT_KIB ? [{ rule: 'memory', what: `${Math.round(peakKib / 1024)} MiB` }] : []),
  ];
}

function ends({ ended, files, audit }: Sighting): Violation[] {
  const { code, hung, peakFds, stderr } = ended;
  const bytes = [...files.values()].reduce((sum, text) => sum + text.length, 0);
  const tail = stderr.slice(-600);
  // A run that was refused for its options proves nothing.
  if (audit.length === 0) return [{ rule: 'nothing-sent', what: `exit ${code}: ${tail}` }];
  if (hung) return endings(ended);
  return [
    ...endings(ended),
    ...(peakFds > MOST_FDS ? [{ rule: 'file-descriptors', what: `${peakFds} open at a time` }] : []),
    ...(bytes > MOST_BYTES
      ? [{ rule: 'bytes', what: `${Math.round(bytes / 1024 / 1024)} MiB in the run folder` }]
      : []),
    ...(code === 2 || files.has('records/end.json') ? [] : [{ rule: 'no-end', what: `exit ${code}: ${tail}` }]),
    ...(code === 2 || files.has('report.json') ? [] : [{ rule: 'no-report', what: `exit ${code}: ${tail}` }]),
  ];
}

/** Every promise that a run broke. */
export function violationsOf(sighting: Sighting): readonly Violation[] {
  return [
    ...writes(sighting),
    ...changes(sighting),
    ...sighting.elsewhere.map((what) => ({ rule: 'request-elsewhere', what })),
    ...outputs(sighting),
    ...ends(sighting),
    ...leftovers(sighting),
  ];
}
