import { checks as catalog } from '../../conformance/catalog.ts';
import { planConformance } from '../../conformance/engine/plan.ts';
import { ANC_OPERATIONS, PROFILES } from '../../lib/contract/anc.ts';
import { groupBy } from '../../lib/group-by.ts';
import { seededRandom } from '../../lib/random.ts';
import type { Letter } from '../../reports/history/record/compact.ts';
import { HISTORY_VERSION, type HistoryCell, type HistoryLine } from '../../reports/history/record/line.ts';

/** What really happens to the made target and its runs; nights count from 0, `to` is the first night after. */
export interface Truth {
  readonly defects: readonly { readonly checkId: string; readonly from: number; readonly to?: number }[];
  /** Checks that fail by chance, and pass when tried again. */
  readonly flakes: readonly { readonly checkId: string; readonly rate: number }[];
  /** The service gets slower by so much from a night on. */
  readonly steps: readonly { readonly from: number; readonly size: number }[];
  /** Nights in which the target cannot be reached. */
  readonly outages: readonly number[];
  /** Nights that are cut. */
  readonly cuts: readonly number[];
  readonly toolUpdates: readonly { readonly from: number; readonly version: string }[];
  readonly dialect: readonly { readonly id: string; readonly from: number; readonly answer: string }[];
}

export const NO_TRUTH: Truth = {
  ...{ defects: [], flakes: [], steps: [], outages: [], cuts: [], toolUpdates: [], dialect: [] },
};

const FIRST_NIGHT = Date.UTC(2026, 0, 1, 2);
const DAY_MS = 86_400_000;
/** Relative spread of a night's latencies. */
const NOISE = 0.05;

/** All results of a full night: check, family and variant. */
function fullPlan() {
  const { entries } = planConformance(catalog, { mode: 'full', seed: 1 });
  const keys = entries.map(({ key }) => {
    const [checkId = '', family = '', variant = ''] = key.split('|');
    return { checkId, family, variant };
  });
  const families = [...new Set(keys.map(({ family }) => family))].sort();
  const checks = [...groupBy(keys, ({ checkId }) => checkId)].map(([id, held]) => ({
    id,
    variants: [...new Set(held.map(({ variant }) => variant))].sort(),
    has: new Set(held.map(({ family, variant }) => `${family}|${variant}`)),
  }));
  return { families, checks };
}

let plan: ReturnType<typeof fullPlan> | undefined;

/** A draw of the standard normal distribution. */
function gauss(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function cellsOf(night: number, { steps }: Truth, random: () => number): HistoryCell[] {
  const slower = steps.filter(({ from }) => night >= from).reduce((factor, { size }) => factor * (1 + size), 1);
  const noisy = (value: number) => value * slower * (1 + NOISE * gauss(random));
  return Object.keys(PROFILES).flatMap((profile) =>
    Object.keys(ANC_OPERATIONS).map((operation): HistoryCell => {
      const p99 = noisy(24);
      return {
        ...{ profile, operation, rate: 250, depth: 'normal', seconds: 65, connections: 100, verdict: 'met' },
        achieved: 250,
        ...{ p50: noisy(6), p99, responseP99: noisy(25) },
      };
    }),
  );
}

/** A history with known truth: same seed, same lines. */
export function simulatedHistory(nights: number, truth: Truth, seed = 1): readonly HistoryLine[] {
  const random = seededRandom(seed);
  plan ??= fullPlan();
  const { families, checks } = plan;
  const made = new Map<string, HistoryLine['checks'][string]>();
  const rowsOf = ({ id, variants, has }: (typeof checks)[number], letter: Letter) => {
    const rows = made.get(`${id} ${letter}`) ?? {
      v: variants,
      r: families.map((family) => variants.map((variant) => (has.has(`${family}|${variant}`) ? letter : '.')).join('')),
    };
    made.set(`${id} ${letter}`, rows);
    return rows;
  };
  return Array.from({ length: nights }, (_, night): HistoryLine => {
    const at = new Date(FIRST_NIGHT + night * DAY_MS).toISOString();
    const run = `${at.slice(0, 10).replaceAll('-', '')}-020000-${night.toString(36).padStart(4, '0')}`;
    const away = truth.outages.includes(night);
    const broken = new Set(
      truth.defects.filter(({ from, to = nights }) => night >= from && night < to).map(({ checkId }) => checkId),
    );
    const flaked = new Set(truth.flakes.filter(({ rate }) => random() < rate).map(({ checkId }) => checkId));
    const letterOf = (id: string): Letter => (broken.has(id) ? 'f' : flaked.has(id) ? 'k' : 'p');
    const tool = truth.toolUpdates.findLast(({ from }) => night >= from)?.version ?? '0.1.0';
    const answers = truth.dialect.filter(({ from }) => night >= from).map(({ id, answer }) => [id, answer] as const);
    const before = truth.dialect.map(({ id }) => [id, 'as before'] as const);
    const failing = broken.size + flaked.size;
    const said = away ? 'Not tested' : failing > 0 ? 'Failed' : 'Passed';
    return {
      ...{ v: HISTORY_VERSION, run, at, seconds: 1800, command: 'verify', mode: 'full', target: 'https://ers.example' },
      ...{ folder: run, said },
      exit: away ? 3 : failing > 0 ? 1 : 0,
      reasons: away ? ['the target cannot be reached'] : [],
      complete: !truth.cuts.includes(night),
      ...{ tool, tables: 'tables-1', plan: 'plan-1', catalogue: 'checks-1', k6: '2.2.9', node: 'v20.19.0' },
      families: away ? [] : families,
      checks: away ? {} : Object.fromEntries(checks.map((check) => [check.id, rowsOf(check, letterOf(check.id))])),
      causes: [...(away ? [] : [...broken, ...flaked])].map((id) => ({
        ...{ id: `MADE/${id}`, title: `made failure of ${id}`, results: 1, checks: [] },
      })),
      ...(away ? {} : { dialect: Object.fromEntries([...before, ...answers]) }),
      cells: away ? [] : cellsOf(night, truth, random),
      capacity: [],
    };
  });
}

/** A year with something of everything: the committed example. */
export const EXAMPLE_YEAR: Truth = {
  defects: [
    { checkId: 'paging/next', from: 120, to: 131 },
    { checkId: 'record/update', from: 250, to: 254 },
    { checkId: 'filter/or', from: 344 },
  ],
  flakes: [
    { checkId: 'concurrency/whole-reads', rate: 0.05 },
    { checkId: 'record/history', rate: 0.01 },
  ],
  steps: [{ from: 210, size: 0.15 }],
  outages: [45, 46, 200],
  cuts: [90],
  toolUpdates: [{ from: 180, version: '0.2.0' }],
  dialect: [{ id: 'sort-case', from: 344, answer: 'letters by code' }],
};
