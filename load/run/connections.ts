import { ancFamilyOf } from '../../lib/client/anc/lookup.ts';
import { defined } from '../../lib/defined.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import { LATENCY_MARGIN, PAUSE_MS, type Sizing } from '../../lib/records/load/parts.ts';
import { median } from '../../lib/stats/trend.ts';
import type { LoadContext } from '../endpoints/context.ts';
import { connectionsFor, LOOKS, proposed } from '../plan/connections.ts';
import type { PlannedCell } from '../plan/plan.ts';
import { DEFAULT_CONNECTIONS } from '../plan/spec.ts';

/** Transactions in flight that would have dropped no arrival; 0 if the target stalled too long, as a second try would hide that. */
function neededBy({ facts, serviceTime, stalls = [] }: CellReport): number {
  const arrivalsIn = (ms: number) => (facts.plan.targetPerSecond * ms) / 1000;
  const stall = arrivalsIn(Math.max(0, ...stalls.map(({ ms }) => ms)));
  if (stall > DEFAULT_CONNECTIONS) return 0;
  return Math.max(arrivalsIn(LATENCY_MARGIN * (serviceTime.meanServedMs ?? 0)), stall + arrivalsIn(PAUSE_MS));
}

const dropsCount = ({ rules }: CellReport): boolean =>
  rules.some(({ id, holds, effect }) => id === 'no-drops' && holds === false && effect === 'violated');

/** Tells how many connections cells have: given, or by the latency and what earlier cells showed; never more than the target takes. */
export function connectionBook(context: LoadContext, isElsewhere: boolean) {
  const { plan, client, anc } = context;
  const { connections: given } = plan.spec;
  const latencies = anc?.latenciesMs ?? [];
  const latencyMs = latencies.length === 0 ? undefined : median(latencies);
  let refused: Sizing['refused'];
  let raisedTo = 0;
  const wanted = (cell: PlannedCell): number => {
    if (given !== undefined) return given - LOOKS;
    const usual = latencyMs === undefined ? cell.connections : connectionsFor(cell, latencyMs);
    return Math.max(usual, Math.min(raisedTo, proposed(cell, raisedTo)));
  };
  const sized = (cell: PlannedCell): PlannedCell => {
    if (isElsewhere) return cell;
    const room = refused === undefined ? Number.POSITIVE_INFINITY : refused.served - LOOKS;
    const connections = Math.max(1, Math.min(wanted(cell), room));
    const isRaised = given === undefined && raisedTo > 0 ? (true as const) : undefined;
    return {
      ...cell,
      connections,
      sizing: { beside: LOOKS, ...defined({ given, latencyMs, refused, raised: isRaised }) },
    };
  };
  return {
    sized,
    /** Tries, once, whether the target takes as many connections as the cells want. */
    async settle(): Promise<void> {
      if (isElsewhere || client.options.target.proxy !== undefined) return;
      const asked = LOOKS + Math.max(...plan.cells.map((cell) => sized(cell).connections));
      const trial = await client.tryConnections(ancFamilyOf(client), asked);
      if (trial.served < asked) refused = trial;
    },
    /** The cell to run once more on another number of connections, where that is what a try lacked; undefined if it is not. */
    after(cell: PlannedCell, report: CellReport): PlannedCell | undefined {
      if (isElsewhere) return undefined;
      const seen = report.facts.sizing?.refused;
      if (seen !== undefined && seen.served < (refused?.served ?? Number.POSITIVE_INFINITY)) refused = seen;
      else if (given === undefined && dropsCount(report)) {
        const needed = neededBy(report);
        if (needed === 0) return undefined;
        raisedTo = Math.max(raisedTo, proposed(cell, needed));
      }
      const other = sized(cell);
      return other.connections === report.facts.plan.connections ? undefined : other;
    },
  };
}
export type ConnectionBook = ReturnType<typeof connectionBook>;
