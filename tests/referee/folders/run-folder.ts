import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../../lib/random.ts';
import { watchedDeployment } from '../deployment.ts';
import { meddlingProxy } from '../meddler.ts';
import { pick } from '../mutations/mutation.ts';
import { elsewhereServer, LOGIN_ENV, patient, textsBelow } from '../run-scenario.ts';
import { changes, endings, outputs, type Sighting, writes } from '../violations.ts';
import { watchedProcess } from '../watched-process.ts';
import { BASE_SEED, type BaseFolders } from './base.ts';
import { FILE_TAMPERINGS } from './files.ts';
import { RECORD_TAMPERINGS } from './records.ts';

const TAMPERINGS = { ...RECORD_TAMPERINGS, ...FILE_TAMPERINGS };

const COMMANDS = [
  'sweep',
  'sweep-dry',
  'sweep-no-target',
  'replay',
  'replay-no-target',
  'render',
  'render-share',
  'compare',
] as const;
type FolderCommand = (typeof COMMANDS)[number];

/** One command that reads one folder that was tampered with. */
export interface FolderScenario {
  readonly seed: number;
  readonly command: FolderCommand;
  readonly base: 'run' | 'cells';
  readonly tamperings: readonly string[];
}

export function folderScenarioOf(seed: number): FolderScenario {
  const random = seededRandom(seed * 104_729 + 5);
  const command = pick(random, COMMANDS);
  const base = random() < 0.3 ? 'cells' : 'run';
  return {
    seed,
    command,
    base,
    tamperings: Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(random, Object.keys(TAMPERINGS))),
  };
}

/** Marks text of a file that no output may quote. */
const QUOTE = 'FOREIGN-FILE-CONTENT-3141';
const LIMIT_SECONDS = 60;

function argumentsOf(
  command: FolderCommand,
  folder: string,
  whole: string,
  out: string,
  target: string,
  pool: string,
): string[] {
  const base = ['--base-url', target];
  const replay = ['report', 'replay', folder, 'record/create', '--family', 'sgt', '--out', out, '--timeout', '1s'];
  switch (command) {
    case 'sweep':
      return ['sweep', '--journal', folder, ...base, '--timeout', '2s', '--endpoints', pool];
    case 'sweep-dry':
      return ['sweep', '--journal', folder, ...base, '--dry-run', '--timeout', '2s'];
    case 'sweep-no-target':
      return ['sweep', '--journal', folder, '--dry-run', '--timeout', '2s'];
    case 'replay':
      return [...replay, ...base];
    case 'replay-no-target':
      return replay;
    case 'render':
      return ['report', 'render', folder];
    case 'render-share':
      return ['report', 'render', folder, '--redact', 'share'];
    case 'compare':
      return ['report', 'compare', whole, folder];
  }
}

/** Tampers with a copy of a folder, runs the command on it, and judges what it did. */
export async function runFolderScenario({ seed, command, base, tamperings }: FolderScenario, folders: BaseFolders) {
  const scratch = mkdtempSync(join(tmpdir(), 'ers-referee-folder-'));
  const folder = join(scratch, 'given');
  const victimFolder = join(scratch, 'victims');
  const victim = join(victimFolder, 'victim.txt');
  cpSync(folders[base], folder, { recursive: true });
  mkdirSync(victimFolder);
  writeFileSync(victim, `${QUOTE} first line\n${QUOTE} second line\n`);
  const deployment = await watchedDeployment(BASE_SEED);
  for (const { family, record } of folders.left) await deployment.put(family, record);
  const elsewhere = await elsewhereServer();
  const proxy = await meddlingProxy([], deployment, elsewhere.origin);
  try {
    const random = seededRandom(seed);
    const foreign = deployment.before
      .filter(({ family }) => family !== 'ancendpoint')
      .map(({ family, record }) => ({ family, id: record.id, name: String(record['name']) }));
    for (const id of tamperings) {
      try {
        TAMPERINGS[id]?.(folder, { random, elsewhere: elsewhere.origin, victim, victimFolder, foreign });
      } catch {
        // Two that do not go together: the first one stays.
      }
    }
    const outside = new Map(textsBelow(scratch).filter(([path]) => !path.startsWith('given')));
    const ended = await watchedProcess(
      argumentsOf(command, folder, folders.run, join(scratch, 'out'), proxy.baseUrl, deployment.pool),
      LOGIN_ENV,
      patient(LIMIT_SECONDS),
    );
    const files = textsBelow(scratch);
    const sighting: Sighting = {
      mode: command === 'sweep' ? 'full' : 'own-data',
      ended,
      audit: proxy.audit,
      before: deployment.before,
      after: deployment.records(),
      takenAtMs: new Map(),
      handedIds: new Set(),
      foreignIds: deployment.foreignIds(),
      elsewhere: elsewhere.seen,
      files: new Map(files),
    };
    const written = files.filter(([path, text]) => !/^(given|out)\//.test(path) && outside.get(path) !== text);
    const quoting = [
      ['stdout', ended.stdout] as const,
      ['stderr', ended.stderr] as const,
      ...files.filter(([path]) => path.startsWith('out/') || path.startsWith('given/')),
    ].filter(([, text]) => text.includes(QUOTE));
    const dryWrites =
      command === 'sweep' || command === 'replay' ? [] : proxy.audit.filter(({ asked }) => asked.method !== 'GET');
    const gone = [...outside.keys()].filter((path) => !files.some(([name]) => name === path));
    return {
      ended,
      violations: [
        ...writes(sighting),
        ...changes(sighting),
        ...elsewhere.seen.map((what) => ({ rule: 'request-elsewhere', what })),
        ...outputs(sighting),
        ...dryWrites
          .slice(0, 2)
          .map(({ asked }) => ({ rule: 'write-uninvited', what: `${asked.method} ${asked.url}` })),
        ...[...written.map(([path]) => path), ...gone].map((path) => ({ rule: 'written-outside', what: path })),
        ...quoting.map(([where]) => ({ rule: 'foreign-file-quoted', what: where })),
        ...endings(ended),
      ],
    };
  } finally {
    await proxy.close();
    await deployment.close();
    elsewhere.close();
    if (statSync(scratch, { throwIfNoEntry: false }) !== undefined) rmSync(scratch, { recursive: true, force: true });
  }
}
