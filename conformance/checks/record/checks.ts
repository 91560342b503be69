import type { Check } from '../../kit/check.ts';
import { listEnvelope } from '../list/shape-checks.ts';
import { namesAlike } from './alike.ts';
import * as create from './create.ts';
import * as remove from './delete.ts';
import { filledFields } from './filled.ts';
import { longTexts, textsSurvive } from './free-texts.ts';
import { updateLeavesOut } from './left-out.ts';
import * as members from './members.ts';
import * as number from './number.ts';
import { enumeratedOnly, numberOutside } from './outside.ts';
import * as parallel from './parallel.ts';
import * as plans from './plans.ts';
import { idsStay, readListed, readOwn } from './read.ts';
import { booleanStored, listedValuesTaken } from './stated.ts';
import { entriesAreWhole, readsAreWhole } from './whole.ts';

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
  ...[members.createAllFields, members.fieldNames, create.createWithId, members.updateAllFields, filledFields],
  ...[plans.updateSparesSiblings, plans.updateCreatesNone, plans.deleteSparesSiblings, plans.deleteUnlists],
  ...[remove.listedAlone, textsSurvive, namesAlike, longTexts, create.unsetLeftOut, updateLeavesOut, booleanStored],
  ...[
    number.numberGenerated,
    number.numberBounds,
    number.numberBoundsByUpdate,
    numberOutside,
    enumeratedOnly,
    listedValuesTaken,
  ],
  ...[create.visibleSoon, parallel.parallelCreates, parallel.parallelWrites, readsAreWhole, entriesAreWhole],
];
