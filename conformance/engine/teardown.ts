import type { ErsClient } from '../../lib/client/types.ts';
import type { Clock } from '../../lib/clock.ts';
import type { FamilyTable } from '../../lib/contract/types.ts';
import { answerText } from '../kit/answer.ts';
import type { Fixture } from '../kit/check.ts';
import { poller } from '../kit/poller.ts';
import { removeFixture } from '../kit/record/fixture.ts';
import type { WriteCollector } from './evidence/write-log.ts';
import type { Trace } from './trace.ts';

/** What taking records away needs of a run. */
export interface Teardown {
  readonly client: ErsClient;
  readonly table: FamilyTable;
  readonly clock: Clock;
  readonly visibilityMs: number;
  readonly signal: AbortSignal;
  readonly writes: WriteCollector;
}

/** Removes the fixtures of a trace, newest first, and notes acknowledged deletes that did not happen. Never throws. */
export async function tearDown(run: Teardown, trace: Trace): Promise<void> {
  const client = run.client.view({ label: trace.label });
  for (const fixture of trace.fixtures.splice(0).reverse()) await removeNoted({ ...run, client }, fixture);
}

/** Records in a row that could not be removed, after which no more are made in their family. */
const MOST_KEPT = 2;

/** After this many acknowledged deletes of a family that did not happen, no further one is waited for. */
const FUTILE_REMOVALS = 2;

/** Removes one record and notes what came of it. */
export async function removeNoted(run: Teardown, fixture: Fixture): Promise<void> {
  const { client, table, writes } = run;
  const isFutile = writes.log(fixture.family, 'delete').broken.length >= FUTILE_REMOVALS;
  const eventually = poller(isFutile ? { ...run, visibilityMs: 0 } : run);
  const { acknowledged, remains, refused } = await removeFixture({ client, table, eventually }, fixture);
  if (acknowledged !== undefined) writes.add(fixture.family, 'delete', acknowledged, remains);
  const why = remains ?? (refused === undefined ? undefined : answerText(refused));
  const inARow = writes.kept(fixture.family, why !== undefined);
  // A target that keeps what a run made is not given more of it.
  if (why !== undefined && inARow >= MOST_KEPT)
    client.refuseCreates(fixture.family, `records of this run cannot be removed again: ${why}`);
}
