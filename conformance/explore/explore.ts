import type { ErsClient } from '../../lib/client/types.ts';
import type { Clock } from '../../lib/clock.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { type FamilyTable, hasOp } from '../../lib/contract/types.ts';
import { defined } from '../../lib/defined.ts';
import type { RunEnd } from '../../lib/records/run.ts';
import { short } from '../../lib/text.ts';
import { openSession } from '../driver/open-session.ts';
import { isOnlyRead, noCounts, noLessons, type Session } from '../driver/session.ts';
import { familyScope, type RunScope, TURNS } from '../engine/context.ts';
import type { Templates } from '../engine/first-contact.ts';
import { openRun } from '../engine/open-run.ts';
import { nothingServed } from '../engine/service.ts';
import { emptyTrace } from '../engine/trace.ts';
import { type Difference, differenceKey } from '../model/difference.ts';
import { type Shrunk, search } from '../plans/random/search.ts';
import type { Step } from '../steps/step.ts';

export interface ExploreOptions {
  readonly families?: readonly string[];
  readonly seed: number;
  readonly path?: string;
  readonly steps?: readonly Step[];
  readonly durationMs: number;
  readonly visibilityMs?: number;
  /** True for a difference that a baseline expects; it is not found again. */
  readonly isExpected: (difference: Difference) => boolean;
  readonly most: number;
  readonly templates?: Templates | undefined;
}

/** A finding with the exchanges of the run that confirmed it. */
export interface Finding extends Omit<Shrunk, 'exchanges'> {
  readonly exchanges: readonly string[];
}

export interface ExploreDeps {
  readonly client: ErsClient;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  readonly onFinding?: (finding: Finding) => void;
  readonly onTurn?: (family: string) => void;
  /** Told of exchanges that nobody will ask for again. */
  readonly onDrop?: (ids: readonly string[]) => void;
}

export interface ExploreRun {
  readonly findings: readonly Finding[];
  /** Families and what was compared in each. */
  readonly searched: Readonly<Record<string, { readonly rounds: number; readonly comparisons: number }>>;
  readonly cleanup: RunEnd['cleanup'];
}

const VISIBILITY_MS = 1500;
/** Sequences drawn for a family before the next one has its turn: few at first, so that each family is soon reached. */
const sequencesIn = (round: number): number => Math.min(6, 2 + round);

/** Records that a turn makes without giving a number that the next one gives. */
const APART = 97;

const LONGEST_EVIDENCE = 60;

/** True if a sequence can do something: records to write, endpoints, or records of others to read. */
function isOpen({ client, table, unwritable }: RunScope, name: string): boolean {
  const family = table[name];
  if (family === undefined || unwritable(name) !== undefined) return false;
  if (isOnlyRead(family)) return hasOp(family, 'list');
  if (hasOp(family, 'create')) return client.options.mode !== 'read-only';
  return client.options.mode === 'full' && client.options.pool !== undefined;
}

/** Draws random sequences over one family after the other until the time is over. Throws `TargetError` if nothing is served. */
export async function explore(options: ExploreOptions, { client, clock, ...deps }: ExploreDeps): Promise<ExploreRun> {
  const table: FamilyTable = FAMILIES;
  const all = Object.keys(table);
  const names = all.filter((name) => options.families?.includes(name) ?? true);
  const signal = deps.signal ?? new AbortController().signal;
  // A search of one family looks through its views too.
  const asked = all.filter((name) => names.includes(name) || table[name]?.viewOf?.some((own) => names.includes(own)));
  const open = await openRun({
    ...{ client, clock, signal, table, names: asked, depth: 'normal', seed: options.seed, atOnce: 1 },
    visibilityMs: options.visibilityMs ?? VISIBILITY_MS,
    templates: options.templates,
  });
  const fault = nothingServed(open.services);
  if (fault !== undefined) throw fault;
  const served = open.served.filter((name) => names.includes(name));
  let found: Awaited<ReturnType<typeof rounds>>;
  let cleanup: RunEnd['cleanup'];
  try {
    await open.begin(served);
    found = await rounds(options, open, served, deps);
  } finally {
    cleanup = await open.end();
  }
  return { ...found, cleanup };
}

async function rounds(
  options: ExploreOptions,
  { run, services, served }: Awaited<ReturnType<typeof openRun>>,
  families: readonly string[],
  deps: Omit<ExploreDeps, 'client' | 'clock'>,
): Promise<Pick<ExploreRun, 'findings' | 'searched'>> {
  const { clock, signal } = run;
  const { path, steps } = options;
  const findings: Finding[] = [];
  const searched: Record<string, ExploreRun['searched'][string]> = {};
  const names = families.filter((name) => isOpen(run, name));
  const untilMs = clock.monotonicMs() + options.durationMs;
  const found = new Set<string>();
  const isKnown = (difference: Difference) => found.has(differenceKey(difference)) || options.isExpected(difference);
  let turns = 0;
  const kept = new Map<string, Pick<Session, 'lessons' | 'count'>>();
  const isUnserved = (name: string) => services.has(name) && !served.includes(name);
  const table = Object.fromEntries(Object.entries(run.table).filter(([name]) => !isUnserved(name)));
  for (let round = 0; names.length > 0; round += 1) {
    for (const name of names) {
      const isOver = clock.monotonicMs() > untilMs || signal.aborted || findings.length >= options.most;
      if (isOver) return { findings, searched };
      deps.onTurn?.(name);
      const scope = familyScope(run, name, TURNS.explore + APART * round);
      const context = { ...scope.context(emptyTrace('explore', name, String(round))), table };
      const lasting = kept.get(name) ?? { lessons: noLessons(context.run), count: noCounts() };
      kept.set(name, lasting);
      const open = () => openSession(context, { isKnown, turn: ++turns, ...lasting });
      // A path leads to a sequence under the seed it was found with, in the first round.
      const asked = { seed: options.seed + round, sequences: sequencesIn(round), untilMs, ...defined({ path, steps }) };
      const shrunk = await search({ open, table, family: context.family, signal, clock }, asked);
      searched[name] = { rounds: round + 1, comparisons: lasting.count.comparisons };
      if (shrunk !== undefined) {
        found.add(differenceKey(shrunk.difference));
        const finding = { ...shrunk, exchanges: shrunk.exchanges.map(({ id }) => id).slice(-LONGEST_EVIDENCE) };
        findings.push(finding);
        deps.onFinding?.(finding);
      }
      deps.onDrop?.(scope.exchanges());
    }
    if (path !== undefined || steps !== undefined) break;
  }
  return { findings, searched };
}

const LONGEST_PART = 90;

/** A step in one line, for people; the curl lines say exactly what was sent. */
export function stepText({ step, ...parts }: Step): string {
  const told = Object.entries(parts).filter(([, value]) => value !== undefined && value !== '');
  return [step, ...told.map(([name, value]) => `${name} ${short(JSON.stringify(value), LONGEST_PART)}`)].join(', ');
}
