// Takes figures that are promised as ratios, which hold on any machine: npm run bench -- [--only generator|soak] [--rounds 3]
import { parseArgs } from 'node:util';
import { benchGenerator } from './bench-generator.ts';
import { benchSoak } from './bench-soak.ts';
import { type Figure, figureLine, isMissed } from './figure.ts';

const PARTS: Readonly<Record<string, (rounds: number) => Promise<Figure[]>>> = {
  generator: benchGenerator,
  soak: benchSoak,
};

const { values } = parseArgs({ options: { only: { type: 'string' }, rounds: { type: 'string', default: '3' } } });
// The soak is ten minutes long: it is taken only if it is named.
const taken = PARTS[values.only ?? 'generator'];
const rounds = Number(values.rounds);
if (taken === undefined || !Number.isInteger(rounds) || rounds < 1) {
  process.stderr.write(`usage: npm run bench -- [--only ${Object.keys(PARTS).join('|')}] [--rounds 3]\n`);
  process.exit(2);
}
const figures = await taken(rounds);
for (const figure of figures) process.stdout.write(`${figureLine(figure)}\n`);
process.exitCode = figures.some(isMissed) ? 1 : 0;
