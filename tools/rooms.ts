export interface Room {
  /** A folder with everything below it that is no room of its own; without a slash at the end, only the files directly in it. */
  readonly path: string;
  /** Names of the rooms it may import, besides itself; `all` for the rooms that put others together. */
  readonly mayImport: readonly string[] | 'all';
  /** Runs in k6 as well as in Node: no Node module, no package, no Node global. */
  readonly portable?: true;
}

/** What nearly everybody reads: the specification, requests and answers, the files of a run, and the leaves. */
const BASE = ['contract', 'wire', 'records', 'leaves'] as const;
const CLIENT = ['client types', 'http', 'anc', 'cleanup'] as const;

/** The import rules of docs/architecture.md. The architecture test reads them from here. */
export const ROOMS: Readonly<Record<string, Room>> = {
  leaves: { path: 'lib', mayImport: [] },
  contract: { path: 'lib/contract/', mayImport: [], portable: true },
  wire: { path: 'lib/wire/', mayImport: ['contract'], portable: true },
  stats: { path: 'lib/stats/', mayImport: [] },
  records: { path: 'lib/records/', mayImport: ['contract', 'stats', 'leaves'] },
  judge: { path: 'lib/judge/', mayImport: ['contract', 'records', 'stats', 'leaves'] },

  'client types': { path: 'lib/client', mayImport: BASE },
  redaction: { path: 'lib/client/redaction/', mayImport: ['records', 'leaves'] },
  safety: { path: 'lib/client/safety/', mayImport: ['client types', ...BASE] },
  http: { path: 'lib/client/http/', mayImport: ['client types', 'redaction', 'safety', ...BASE] },
  anc: { path: 'lib/client/anc/', mayImport: ['client types', 'safety', 'http', ...BASE] },
  cleanup: { path: 'lib/client/cleanup/', mayImport: ['client types', 'safety', 'http', 'anc', ...BASE] },

  families: { path: 'lib/families/', mayImport: ['redaction', 'contract', 'leaves'] },

  reference: { path: 'reference/', mayImport: ['contract', 'wire', 'leaves'] },
  // Defects of dimensions that no check knows: the selftest alone draws from them.
  'held-out': { path: 'reference/defects/held-out/', mayImport: ['reference', 'contract', 'wire', 'leaves'] },
  scenarios: { path: 'scenarios/', mayImport: ['contract', 'wire'], portable: true },

  'load plan': { path: 'load/plan/', mayImport: ['client types', 'anc', ...BASE] },
  stream: { path: 'load/stream/', mayImport: ['stats', ...BASE] },
  k6: { path: 'load/k6/', mayImport: ['load plan', 'stream', 'stats', ...BASE] },
  endpoints: { path: 'load/endpoints/', mayImport: ['load plan', ...CLIENT, 'safety', 'stats', ...BASE] },
  'load run': {
    path: 'load/run/',
    mayImport: ['load plan', 'stream', 'k6', 'endpoints', ...CLIENT, 'stats', 'judge', ...BASE],
  },
  capacity: {
    path: 'load/capacity/',
    mayImport: ['load plan', 'k6', 'endpoints', 'load run', 'client types', 'http', 'anc', 'stats', 'judge', ...BASE],
  },
  kubernetes: { path: 'load/kubernetes/', mayImport: ['load plan', 'stream', 'k6', 'stats', 'judge', ...BASE] },

  kit: { path: 'conformance/kit/', mayImport: [...CLIENT, 'safety', ...BASE] },
  dialect: { path: 'conformance/dialect/', mayImport: ['kit', 'client types', 'http', ...BASE] },
  model: { path: 'conformance/model/', mayImport: ['kit', ...BASE] },
  steps: {
    path: 'conformance/steps/',
    mayImport: ['driver', 'model', 'kit', 'client types', 'contract', 'wire', 'leaves'],
  },
  driver: { path: 'conformance/driver/', mayImport: ['steps', 'model', 'kit', 'client types', ...BASE] },
  plans: { path: 'conformance/plans/', mayImport: ['driver', 'steps', 'model', 'kit', 'client types', ...BASE] },
  checks: {
    path: 'conformance/checks/',
    mayImport: ['plans', 'model', 'kit', 'client types', 'safety', 'http', 'anc', ...BASE],
  },
  catalog: { path: 'conformance', mayImport: ['kit', 'checks'] },
  engine: {
    path: 'conformance/engine/',
    mayImport: ['catalog', 'dialect', 'plans', 'kit', ...CLIENT, 'safety', ...BASE],
  },

  explore: {
    path: 'conformance/explore/',
    mayImport: ['engine', 'plans', 'driver', 'steps', 'model', 'client types', 'contract', 'records', 'leaves'],
  },

  reports: { path: 'reports/', mayImport: ['contract', 'records', 'stats', 'judge', 'leaves'] },
  // The oracle tells which writes a failure needs, and the tables what is sent.
  'report export': { path: 'reports/export/', mayImport: ['reports', 'model', 'kit', 'judge', ...BASE] },
  history: { path: 'reports/history/', mayImport: ['contract', 'records', 'judge', 'stats', 'leaves'] },
  'history pages': { path: 'reports/history/pages/', mayImport: ['history', 'reports', 'records', 'stats', 'leaves'] },
  selftest: {
    path: 'reference/selftest/',
    mayImport: [...CLIENT, 'catalog', 'engine', 'kit', 'reference', 'held-out', 'stats', 'judge', ...BASE],
  },
  cli: { path: 'cli/', mayImport: 'all' },
  tools: { path: 'tools/', mayImport: 'all' },
};

function holds(room: Room, file: string): boolean {
  if (room.path.endsWith('/')) return file.startsWith(room.path);
  return file.slice(0, file.lastIndexOf('/')) === room.path;
}

/** Name of the room that a file belongs to, the innermost where rooms lie in each other; undefined for tests and files at the root. */
export function roomOf(file: string): string | undefined {
  const [innermost] = Object.entries(ROOMS)
    .filter(([, room]) => holds(room, file))
    .sort(([, a], [, b]) => b.path.length - a.path.length);
  return innermost?.[0];
}

/** Where a room must not reach: names of all rooms it may not import. */
export function forbiddenFor(name: string): readonly string[] {
  const allowed = ROOMS[name]?.mayImport ?? [];
  return allowed === 'all' ? [] : Object.keys(ROOMS).filter((other) => other !== name && !allowed.includes(other));
}
