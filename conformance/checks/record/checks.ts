import type { Check } from '../../kit/check.ts';
import { listEnvelope } from '../list/shape-checks.ts';
import { namesAlike } from './alike.ts';
import * as texts from './free-texts.ts';
import * as life from './life.ts';
import * as members from './members.ts';
import * as number from './number.ts';
import * as parallel from './parallel.ts';
import * as read from './read.ts';
import * as stated from './stated.ts';
import * as writes from './writes.ts';

/** Checks of single records, in the order they depend on each other. */
export const recordChecks: readonly Check[] = [
  ...[listEnvelope, read.readListed, life.createStores, read.readOwn],
  ...[...writes.plainWrites, life.deleteRemoves, read.idsStay],
  ...[members.createAllFields, life.createWithId, members.updateAllFields, members.filledFields],
  ...[...writes.besideOthers, life.listedAlone, texts.textsSurvive, namesAlike, texts.longTexts],
  ...[life.unsetLeftOut, members.updateLeavesOut, stated.booleanStored, ...number.numberChecks],
  ...[stated.listedValuesTaken, life.visibleSoon, ...parallel.parallelChecks],
];
