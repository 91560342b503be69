import type { Check } from '../../kit/check.ts';
import { listEnvelope } from '../list/shape-checks.ts';
import { namesAlike } from './alike.ts';
import * as create from './create.ts';
import * as remove from './delete.ts';
import * as texts from './free-texts.ts';
import * as members from './members.ts';
import * as number from './number.ts';
import * as parallel from './parallel.ts';
import * as plans from './plans.ts';
import * as read from './read.ts';
import * as stated from './stated.ts';

/** Checks of single records, in the order they depend on each other. */
export const recordChecks: readonly Check[] = [
  ...[listEnvelope, read.readListed, create.createStores, read.readOwn],
  ...[...plans.plainWrites, remove.deleteRemoves, read.idsStay],
  ...[members.createAllFields, members.fieldNames, create.createWithId, members.updateAllFields, members.filledFields],
  ...[...plans.besideOthers, remove.listedAlone, texts.textsSurvive, namesAlike, texts.longTexts],
  ...[create.unsetLeftOut, members.updateLeavesOut, stated.booleanStored, ...number.numberChecks],
  ...[stated.listedValuesTaken, create.visibleSoon, ...parallel.parallelChecks],
];
