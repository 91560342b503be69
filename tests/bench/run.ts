import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, platform, release } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../../lib/package-root.ts';
import { benchGenerator } from './bench-generator.ts';
import { benchReference } from './bench-reference.ts';
import { benchReport } from './bench-report.ts';
import { benchSoak } from './bench-soak.ts';
import { benchStream } from './bench-stream.ts';
import { comparedLines, compareFigures } from './compare-figures.ts';
import type { Figure } from './figure.ts';

/** tests/bench/figures.json: the figures of one run and the machine they were taken on. */
interface Figures {
  readonly machine: string;
  readonly takenAt: string;
  readonly figures: readonly Figure[];
}

type Part = (rounds: number) => Figure[] | Promise<Figure[]>;
const PARTS: Readonly<Record<string, Part>> = {
  stream: benchStream,
  report: benchReport,
  reference: benchReference,
  generator: benchGenerator,
  soak: benchSoak,
};
/** Ten minutes long: taken only when it is named. */
const LONG = ['soak'];
const FILE = join(packageRoot(), 'tests', 'bench', 'figures.json');

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '3' },
    write: { type: 'boolean', default: false },
  },
});

function committed(): Figures {
  if (!existsSync(FILE)) return { machine: '', takenAt: '', figures: [] };
  return JSON.parse(readFileSync(FILE, 'utf8')) as Figures;
}

const say = (line: string) => void process.stderr.write(`${line}\n`);
const unknown = values.only.filter((name) => PARTS[name] === undefined);
const rounds = Number(values.rounds);
if (unknown.length > 0 || !Number.isInteger(rounds) || rounds < 1) {
  say(`usage: npm run bench -- [--only ${Object.keys(PARTS).join('|')}]... [--rounds 3] [--write]`);
  process.exit(2);
}
const chosen = values.only.length > 0 ? values.only : Object.keys(PARTS).filter((name) => !LONG.includes(name));
const machine = `${cpus()[0]?.model.trim() ?? 'unknown'}, ${availableParallelism()} cores, ${platform()} ${release()}, Node ${process.version}`;
const figures: Figure[] = [];
for (const name of chosen) {
  const begun = performance.now();
  figures.push(...((await PARTS[name]?.(rounds)) ?? []));
  say(`${name}: ${((performance.now() - begun) / 1000).toFixed(0)} s`);
}
const before = committed();
const compared = compareFigures(figures, before.figures);
for (const line of comparedLines(compared)) say(line);
const taken: Figures = { machine, takenAt: new Date().toISOString(), figures };
process.stdout.write(
  `${JSON.stringify({ ...taken, compared: compared.map(({ figure, ...rest }) => ({ name: figure.name, ...rest })) }, null, 2)}\n`,
);
if (values.write) {
  const kept = before.figures.filter(({ name }) => !figures.some((figure) => figure.name === name));
  writeFileSync(FILE, `${JSON.stringify({ ...taken, figures: [...kept, ...figures] }, null, 2)}\n`);
}
const bad = compared.filter(({ verdict, withinLimit }) => verdict === 'worse' || !withinLimit);
for (const { figure, withinLimit } of bad)
  say(`${figure.name}: ${withinLimit ? 'worse than the committed figure' : 'misses what is promised'}`);
process.exitCode = bad.length > 0 ? 1 : 0;
