import { setMaxListeners } from 'node:events';
import type { FamilyTable } from '../../lib/contract/types.ts';
import type { Dialect } from '../../lib/records/conformance.ts';
import type { RunEnd } from '../../lib/records/run.ts';
import { learnedFacts } from '../dialect/learned-facts.ts';
import { viewOf } from '../kit/fields.ts';
import { openLearned } from '../kit/values/learned.ts';
import { createLock, keyedMutex } from './concurrency.ts';
import type { RunScope } from './context.ts';
import { probeDialect } from './dialect-probe.ts';
import { failedOnceCollector, writeCollector } from './evidence/logs.ts';
import { fingerprint, type Print } from './fingerprint.ts';
import { firstContact, type Templates } from './first-contact.ts';
import { leaveAsFound } from './leave-as-found.ts';
import { openReferences } from './references.ts';
import { askServices, refusalOfWrites } from './service.ts';

export interface OpenOptions extends Pick<RunScope, 'client' | 'clock' | 'signal' | 'table' | 'depth' | 'seed'> {
  readonly names: readonly string[];
  readonly atOnce: number;
  /** How long a write may take to show; 3 s unless set. */
  readonly visibilityMs?: number | undefined;
  readonly templates?: Templates | undefined;
  readonly forget?: RunScope['forget'] | undefined;
  readonly sequences?: RunScope['sequences'] | undefined;
  readonly phase?: RunScope['phase'] | undefined;
  /** False leaves on the target what could not be removed: for a deployment that is thrown away after the run. */
  readonly cleanUp?: boolean | undefined;
  /** Sends once more what the server failed at, for a check to tell of in the end; off unless set. */
  readonly isPatient?: boolean;
}

/** A run that knows which families are served, and has written nothing yet. */
export type OpenRun = Awaited<ReturnType<typeof openRun>>;

/** The table without what views show that the target does not serve. */
const withViews = (table: FamilyTable, isServed: (name: string) => boolean): FamilyTable =>
  Object.fromEntries(
    Object.entries(table).map(([name, { viewOf: _, ...plain }]) => [
      name,
      isServed(name) ? (table[name] ?? plain) : plain,
    ]),
  );

/** Opens a run: asks the families whether they are served. Sends GET only until `begin`. */
export async function openRun(options: OpenOptions) {
  const { clock, signal, names, depth, seed, visibilityMs = 3000 } = options;
  const failedOnce = failedOnceCollector();
  const client = options.isPatient === true ? options.client.view({ onFailedOnce: failedOnce.add }) : options.client;
  // Every wait and request of every family listens for the end of the run.
  setMaxListeners(0, signal);
  // What shows records of a family is asked too, and the families that a view shows: steps look and write there.
  const related = names.flatMap((name) => viewOf(options.table, name) ?? options.table[name]?.viewOf ?? []);
  options.phase?.('asking which families are served');
  const asked = await askServices(client, [...new Set([...names, ...related])], options.atOnce);
  const services = new Map([...asked].filter(([name]) => names.includes(name)));
  const isServed = (name: string) => asked.get(name)?.state !== 'absent';
  const table = withViews(options.table, isServed);
  // A family that is not served holds no record.
  const present = Object.keys(table).filter(isServed);
  const dialect: Dialect = {};
  const run: RunScope = {
    ...{ client, table, clock, depth, seed, signal, visibilityMs },
    dialect: (question) => dialect[question]?.answer,
    unwritable: (name) => refusalOfWrites(services.get(name)),
    isServed,
    exclusive: keyedMutex(),
    forget: (ids) => options.forget?.(ids),
    sequences: (family, done, planned) => options.sequences?.(family, done, planned),
    phase: (doing) => options.phase?.(doing),
    creates: createLock(),
    references: openReferences(() => run),
    learned: openLearned(),
    writes: writeCollector(),
    failedOnce,
  };
  let before: Print | undefined;
  const isDisposable = options.cleanUp === false;
  return {
    run,
    services,
    served: names.filter((name) => services.get(name)?.state === 'served'),
    dialect,
    /** Looks what is there, makes the first writes, and asks what the specification leaves open about the named families. */
    async begin(named: readonly string[]): Promise<void> {
      run.phase('looking what is there');
      if (client.options.mode !== 'read-only' && !isDisposable) before = await fingerprint(client, table, present);
      // Whose records are there is known before the first write, or nothing is written.
      for (const name of before?.unknown ?? [])
        client.refuse(name, 'its list cannot be read to its end, so nobody can tell whose its records are');
      const shown = named
        .flatMap((name) => table[name]?.viewOf ?? [])
        .filter((name) => asked.get(name)?.state === 'served');
      await firstContact(run, [...new Set([...named, ...shown])], options.templates);
      run.phase('asking what the specification leaves open');
      Object.assign(dialect, learnedFacts(run.learned, client), await probeDialect(run, named));
    },
    /** Removes what the run made, and proves it. Never throws. */
    async end(): Promise<RunEnd['cleanup']> {
      run.phase('removing what the run made');
      await run.references.release().catch(() => undefined);
      if (isDisposable) return { created: 0, removed: 0, residue: [] };
      return leaveAsFound({ client, table, families: present, clock, before });
    },
  };
}
