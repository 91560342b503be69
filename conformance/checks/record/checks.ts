import type { Check } from '../../kit/check.ts';
import { createStores, createWithId } from './create.ts';
import { deleteRemoves, listedAlone } from './delete.ts';
import { enumeratedOnly } from './enumerated.ts';
import { filledFields } from './filled.ts';
import { longTexts, textsSurvive } from './free-texts.ts';
import { idsStay } from './identity.ts';
import { listEnvelope } from './list.ts';
import { booleanStored, createAllFields, updateAllFields } from './members.ts';
import { fieldNames } from './names.ts';
import { numberBounds, numberGenerated, numberOutside } from './number.ts';
import { numberBoundsByUpdate } from './number-update.ts';
import { parallelCreates, parallelWrites } from './parallel.ts';
import {
  createIsListed,
  deleteSparesSiblings,
  deleteUnlists,
  renameKeepsId,
  updateCreatesNone,
  updateSparesSiblings,
  updateStores,
} from './plans.ts';
import { readListed, readOwn } from './read.ts';
import { unsetLeftOut } from './texts.ts';
import { visibleSoon } from './time.ts';
import { entriesAreWhole, readsAreWhole } from './whole.ts';

/** Checks of single records, in the order they depend on each other. */
export const recordChecks: readonly Check[] = [
  listEnvelope,
  readListed,
  createStores,
  readOwn,
  createIsListed,
  updateStores,
  renameKeepsId,
  deleteRemoves,
  idsStay,
  createAllFields,
  fieldNames,
  createWithId,
  updateAllFields,
  filledFields,
  updateSparesSiblings,
  updateCreatesNone,
  deleteSparesSiblings,
  deleteUnlists,
  listedAlone,
  textsSurvive,
  longTexts,
  unsetLeftOut,
  booleanStored,
  numberGenerated,
  numberBounds,
  numberBoundsByUpdate,
  numberOutside,
  enumeratedOnly,
  visibleSoon,
  parallelCreates,
  parallelWrites,
  readsAreWhole,
  entriesAreWhole,
];
