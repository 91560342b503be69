/** One room of the source tree and what its files may import. */
export interface Room {
  /** Folder, or the files directly in it where it ends without a slash. */
  readonly path: string;
  /** Names of the rooms it may import, besides itself; `all` for the rooms that put others together. */
  readonly mayImport: readonly string[] | 'all';
  /** Runs in k6 as well as in Node: no Node module, no package, no Node global. */
  readonly portable?: true;
}

/** The import rules of docs/architecture.md. The architecture test and the linter both read them from here. */
export const ROOMS: Readonly<Record<string, Room>> = {
  contract: { path: 'lib/contract/', mayImport: [], portable: true },
  wire: { path: 'lib/wire/', mayImport: ['contract'], portable: true },
  client: { path: 'lib/client/', mayImport: ['contract', 'wire', 'records', 'leaves'] },
  stats: { path: 'lib/stats/', mayImport: [] },
  records: { path: 'lib/records/', mayImport: ['contract', 'stats', 'leaves'] },
  verdict: { path: 'lib/verdict/', mayImport: ['contract', 'records', 'stats', 'leaves'] },
  leaves: { path: 'lib', mayImport: [] },
  reference: { path: 'reference/', mayImport: ['contract', 'wire', 'leaves'] },
  scenarios: { path: 'scenarios/', mayImport: ['contract', 'wire'], portable: true },
  load: { path: 'load/', mayImport: ['contract', 'wire', 'client', 'stats', 'records', 'verdict', 'leaves'] },
  conformance: { path: 'conformance/', mayImport: ['contract', 'wire', 'client', 'records', 'leaves'] },
  reports: { path: 'reports/', mayImport: ['records', 'stats', 'verdict', 'leaves'] },
  selftest: {
    path: 'selftest/',
    mayImport: ['contract', 'client', 'records', 'verdict', 'reference', 'conformance', 'reports', 'leaves'],
  },
  cli: { path: 'cli/', mayImport: 'all' },
  tools: { path: 'tools/', mayImport: 'all' },
};

/** Name of the room that a file belongs to; undefined for tests and files at the root. */
export function roomOf(file: string): string | undefined {
  const folder = Object.keys(ROOMS).find((name) => {
    const path = ROOMS[name]?.path ?? '';
    return path.endsWith('/') && file.startsWith(path);
  });
  return folder ?? (/^lib\/[^/]+$/.test(file) ? 'leaves' : undefined);
}

/** Where a room must not reach: names of all rooms it may not import. */
export function forbiddenFor(name: string): readonly string[] {
  const allowed = ROOMS[name]?.mayImport ?? [];
  return allowed === 'all' ? [] : Object.keys(ROOMS).filter((other) => other !== name && !allowed.includes(other));
}

const filesOf = (path: string): string => (path.endsWith('/') ? `${path}**` : `${path}/*.ts`);

function restrictedGroup(name: string, room: Room): string[] {
  const folders = forbiddenFor(name).filter((other) => other !== 'leaves');
  const rooms = folders.map((other) => `**/${ROOMS[other]?.path.replace('lib/', '')}**`);
  return room.portable ? [...rooms, 'node:*', 'zod'] : rooms;
}

/** The import rules as overrides of the linter's configuration. */
export function linterOverrides(): readonly object[] {
  return Object.entries(ROOMS)
    .filter(([, room]) => room.mayImport !== 'all')
    .map(([name, room]) => ({
      includes: [filesOf(room.path)],
      linter: {
        rules: {
          style: {
            noRestrictedImports: {
              level: 'error',
              options: {
                patterns: [
                  { group: restrictedGroup(name, room), message: `The import rules of ${name} are in tools/rooms.ts.` },
                ],
              },
            },
          },
        },
      },
    }));
}
