import type { Check } from '../../kit/check.ts';
import { listEnvelope } from '../list/shape-checks.ts';
import { namesAlike } from './alike.ts';
import * as texts from './free-texts.ts';
import * as life from './life.ts';
import * as members from './members.ts';
import * as number from './number.ts';
import * as parallel from './parallel.ts';
import * as plans from './plans.ts';
import * as read from './read.ts';
import * as stated from './stated.ts';

/** Checks of single records, in the order they depend on each other. */
export const recordChecks: readonly Check[] = [
  ...[listEnvelope, read.readListed, life.createStores, read.readOwn],
  ...[...plans.plainWrites, life.deleteRemoves, read.idsStay],
  ...[members.createAllFields, members.fieldNames, life.createWithId, members.updateAllFields, members.filledFields],
  ...[...plans.besideOthers, life.listedAlone, texts.textsSurvive, namesAlike, texts.longTexts],
  ...[life.unsetLeftOut, members.updateLeavesOut, stated.booleanStored, ...number.numberChecks],
  ...[stated.listedValuesTaken, life.visibleSoon, ...parallel.parallelChecks],
];
