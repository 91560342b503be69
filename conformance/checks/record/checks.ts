import type { Check } from '../../kit/check.ts';
import { createAllFields, createStores, createWithId } from './create.ts';
import { deleteRemoves, deleteSparesSiblings, deleteUnlists } from './delete.ts';
import { enumeratedOnly } from './enumerated.ts';
import { idsStay } from './identity.ts';
import { longTexts } from './lengths.ts';
import { createIsListed, listEnvelope } from './list.ts';
import { booleanStored, fieldNames } from './names.ts';
import { numberBounds, numberGenerated, numberOutside } from './number.ts';
import { numberBoundsByUpdate } from './number-update.ts';
import { parallelWrites } from './parallel.ts';
import { readListed, readOwn } from './read.ts';
import { textsSurvive, unsetLeftOut } from './texts.ts';
import { parallelCreates, visibleSoon } from './time.ts';
import { updateAllFields, updateCreatesNone, updateSparesSiblings, updateStores } from './update.ts';
import { entriesAreWhole, readsAreWhole } from './whole.ts';

/** Checks of single records, in the order they depend on each other. */
export const recordChecks: readonly Check[] = [
  listEnvelope,
  readListed,
  createStores,
  readOwn,
  createIsListed,
  updateStores,
  deleteRemoves,
  idsStay,
  createAllFields,
  fieldNames,
  createWithId,
  updateAllFields,
  updateSparesSiblings,
  updateCreatesNone,
  deleteSparesSiblings,
  deleteUnlists,
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
