import type { CellReport } from '../../lib/records/load/load.ts';
import type { CellProgress } from '../../lib/records/load/progress.ts';
import type { PlannedCell } from '../plan/plan.ts';

/** A cell with its number, from 0 up to `of`. */
interface Numbered {
  readonly cell: PlannedCell;
  readonly index: number;
  readonly of: number;
}

/** What happens during a load, as it happens. */
export type LoadProgress =
  | (Numbered & { readonly kind: 'cell-start'; readonly attempt: 1 | 2 })
  | { readonly kind: 'preparing'; readonly cell: PlannedCell; readonly endpoints: number }
  | { readonly kind: 'second'; readonly cell: PlannedCell; readonly progress: CellProgress }
  | (Numbered & { readonly kind: 'cell-end'; readonly report: CellReport })
  /** Something that was learned of the target, or is done because of it. */
  | { readonly kind: 'told'; readonly text: string }
  /** Endpoints are cleared; `leftNow` tells how many still are to be. */
  | { readonly kind: 'cleaning'; readonly endpoints: number; readonly leftNow: () => number };
