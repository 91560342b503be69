import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../../lib/random.ts';
import { pick } from '../mutations/mutation.ts';
import { LOGIN_ENV, onStage, patient, textsBelow } from '../run-scenario.ts';
import { changes, endings, outputs, type Sighting, writes } from '../violations.ts';
import { watchedProcess } from '../watched-process.ts';
import { BASE_SEED, type BaseFolders } from './base.ts';
import { FILE_TAMPERINGS } from './files.ts';
import { RECORD_TAMPERINGS } from './records.ts';

const TAMPERINGS = { ...RECORD_TAMPERINGS, ...FILE_TAMPERINGS };

const COMMANDS = [
  ...(['sweep', 'sweep-dry', 'sweep-no-target', 'replay', 'replay-no-target'] as const),
  ...(['render', 'render-share', 'compare'] as const),
];
type FolderCommand = (typeof COMMANDS)[number];

/** One command that reads one folder that was tampered with. */
export function folderScenarioOf(seed: number) {
  const random = seededRandom(seed * 104_729 + 5);
  const command = pick(random, COMMANDS);
  const base = random() < 0.3 ? ('cells' as const) : ('run' as const);
  const count = 1 + Math.floor(random() * 3);
  return {
    seed,
    command,
    base,
    tamperings: Array.from({ length: count }, () => pick(random, Object.keys(TAMPERINGS))),
  };
}
type FolderScenario = ReturnType<typeof folderScenarioOf>;

/** Marks text of a file that no output may quote. */
const QUOTE = 'FOREIGN-FILE-CONTENT-3141';
const LIMIT_SECONDS = 60;

/** Arguments of each command; paths of the folder, of one that nobody tampered with, and of what is written. */
function argumentsOf(command: FolderCommand, folder: string, whole: string, out: string, at: string, pool: string) {
  const target = ['--base-url', at];
  const sweep = ['sweep', '--journal', folder, '--timeout', '2s'];
  const replay = ['report', 'replay', folder, 'record/create', '--family', 'sgt', '--out', out, '--timeout', '1s'];
  const all: Readonly<Record<FolderCommand, readonly string[]>> = {
    sweep: [...sweep, ...target, '--endpoints', pool],
    'sweep-dry': [...sweep, ...target, '--dry-run'],
    'sweep-no-target': [...sweep, '--dry-run'],
    replay: [...replay, ...target],
    'replay-no-target': replay,
    render: ['report', 'render', folder],
    'render-share': ['report', 'render', folder, '--redact', 'share'],
    compare: ['report', 'compare', whole, folder],
  };
  return all[command];
}

/** Tampers with a copy of a folder, runs the command on it, and judges what it did. */
export const runFolderScenario = ({ seed, command, base, tamperings }: FolderScenario, folders: BaseFolders) =>
  onStage(BASE_SEED, [], async ({ folder: scratch, deployment, proxy, elsewhere, reached }) => {
    const folder = join(scratch, 'given');
    const victimFolder = join(scratch, 'victims');
    const victim = join(victimFolder, 'victim.txt');
    cpSync(folders[base], folder, { recursive: true });
    mkdirSync(victimFolder);
    writeFileSync(victim, `${QUOTE} first line\n${QUOTE} second line\n`);
    for (const { family, record } of folders.left) await deployment.put(family, record);
    const random = seededRandom(seed);
    const foreign = deployment.before
      .filter(({ family }) => family !== 'ancendpoint')
      .map(({ family, record }) => ({ family, id: record.id, name: String(record['name']) }));
    for (const id of tamperings) {
      try {
        TAMPERINGS[id]?.(folder, { random, elsewhere, victim, victimFolder, foreign });
      } catch {
        // Two that do not go together: the first one stays.
      }
    }
    const outside = new Map(textsBelow(scratch).filter(([path]) => !path.startsWith('given')));
    const args = argumentsOf(command, folder, folders.run, join(scratch, 'out'), proxy.baseUrl, deployment.pool);
    const ended = await watchedProcess(args, LOGIN_ENV, patient(LIMIT_SECONDS));
    const files = textsBelow(scratch);
    const sighting: Sighting = {
      ...{ mode: command === 'sweep' ? 'full' : 'own-data', ended, audit: proxy.audit, elsewhere: reached() },
      ...{ before: deployment.before, after: deployment.records(), foreignIds: deployment.foreignIds() },
      ...{ takenAtMs: new Map(), handedIds: new Set(), files: new Map(files) },
    };
    const written = files.filter(([path, text]) => !/^(given|out)\//.test(path) && outside.get(path) !== text);
    const quoting = [
      ...[['stdout', ended.stdout] as const, ['stderr', ended.stderr] as const],
      ...files.filter(([path]) => path.startsWith('out/') || path.startsWith('given/')),
    ].filter(([, text]) => text.includes(QUOTE));
    const mayWrite = command === 'sweep' || command === 'replay';
    const uninvited = mayWrite ? [] : proxy.audit.filter(({ asked }) => asked.method !== 'GET').slice(0, 2);
    const gone = [...outside.keys()].filter((path) => !files.some(([name]) => name === path));
    return {
      ended,
      violations: [
        ...[...writes(sighting), ...changes(sighting), ...outputs(sighting), ...endings(ended)],
        ...sighting.elsewhere.map((what) => ({ rule: 'request-elsewhere', what })),
        ...uninvited.map(({ asked }) => ({ rule: 'write-uninvited', what: `${asked.method} ${asked.url}` })),
        ...[...written.map(([path]) => path), ...gone].map((path) => ({ rule: 'written-outside', what: path })),
        ...quoting.map(([where]) => ({ rule: 'foreign-file-quoted', what: where })),
      ],
    };
  });
