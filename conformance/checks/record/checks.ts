import type { Check } from '../../kit/check.ts';
import { listEnvelope } from '../list/shape-checks.ts';
import { namesAlike } from './alike.ts';
import * as create from './create.ts';
import * as remove from './delete.ts';
import { longTexts, textsSurvive } from './free-texts.ts';
import * as members from './members.ts';
import * as number from './number.ts';
import * as parallel from './parallel.ts';
import * as plans from './plans.ts';
import { idsStay, readListed, readOwn } from './read.ts';
import { booleanStored, listedValuesTaken } from './stated.ts';

/** Checks of single records, in the order they depend on each other. */
export const recordChecks: readonly Check[] = [
  ...[listEnvelope, readListed, create.createStores, readOwn],
  ...[
    plans.createIsListed,
    plans.updateStores,
    plans.renameKeepsId,
    plans.renameIsFiltered,
    remove.deleteRemoves,
    idsStay,
  ],
  ...[members.createAllFields, members.fieldNames, create.createWithId, members.updateAllFields, members.filledFields],
  ...[plans.updateSparesSiblings, plans.updateCreatesNone, plans.deleteSparesSiblings, plans.deleteUnlists],
  ...[remove.listedAlone, textsSurvive, namesAlike, longTexts, create.unsetLeftOut, members.updateLeavesOut, booleanStored],
  ...[
    number.numberGenerated,
    number.numberBounds,
    number.numberBoundsByUpdate,
    number.numberOutside,
    number.enumeratedOnly,
    listedValuesTaken,
  ],
  ...[
    create.visibleSoon,
    parallel.parallelCreates,
    parallel.parallelWrites,
    parallel.readsAreWhole,
    parallel.entriesAreWhole,
  ],
];
