import type { CellReport } from '../../lib/records/load/load.ts';
import type { CellProgress } from '../../lib/records/load/progress.ts';
import type { PlannedCell } from '../plan/plan.ts';

/** What happens during a load, as it happens; `index` counts cells from 0 up to `of`. */
export type LoadProgress =
  | {
      readonly kind: 'cell-start';
      readonly cell: PlannedCell;
      readonly index: number;
      readonly of: number;
      readonly attempt: 1 | 2;
    }
  | { readonly kind: 'preparing'; readonly cell: PlannedCell; readonly endpoints: number }
  | { readonly kind: 'second'; readonly cell: PlannedCell; readonly progress: CellProgress }
  | {
      readonly kind: 'cell-end';
      readonly cell: PlannedCell;
      readonly index: number;
      readonly of: number;
      readonly report: CellReport;
    }
  /** Something that was learned of the target, or is done because of it. */
  | { readonly kind: 'told'; readonly text: string }
  /** Endpoints are cleared; `leftNow` tells how many still are to be. */
  | { readonly kind: 'cleaning'; readonly endpoints: number; readonly leftNow: () => number };
