import { hasOp } from '../../lib/contract/types.ts';
import { counted } from '../../lib/numbers.ts';
import { answerText } from '../kit/answer.ts';
import type { Fixture } from '../kit/check.ts';
import { poller } from '../kit/poller.ts';
import { removeFixture } from '../kit/record/fixture.ts';
import type { RunScope } from './context.ts';
import type { Trace } from './trace.ts';

type Teardown = Pick<RunScope, 'client' | 'table' | 'clock' | 'visibilityMs' | 'signal' | 'writes'>;

/** Removes the fixtures of a trace, newest first, and notes acknowledged deletes that did not happen. Never throws. */
export async function tearDown(run: Teardown, trace: Trace): Promise<void> {
  const client = run.client.view({ label: trace.label });
  for (const fixture of trace.fixtures.splice(0).reverse()) await removeNoted({ ...run, client }, fixture);
}

/** After this many acknowledged deletes of a family that did not happen, no further one is waited for. */
const FUTILE_REMOVALS = 2;

async function removeNoted(run: Teardown, fixture: Fixture): Promise<void> {
  const { client, table, writes } = run;
  const isFutile = writes.log(fixture.family, 'delete').broken.length >= FUTILE_REMOVALS;
  const eventually = poller(isFutile ? { ...run, visibilityMs: 0 } : run);
  const { acknowledged, remains, refused } = await removeFixture({ client, table, eventually }, fixture);
  if (acknowledged !== undefined) writes.add(fixture.family, 'delete', acknowledged, remains);
  client.kept(fixture.family, remains ?? (refused === undefined ? undefined : answerText(refused)));
}

/** Records that are tried to be removed once more: enough to tell a target that does not delete from one that does so now and then. */
const MOST_REMOVED = 20;

/**
 * Removes once more what the checks of a scope made and could not remove. Why nothing further may be made there; undefined where removing
 * works, if only now and then: a target that keeps what a run made is not given more of it.
 */
export async function leftBehind(
  run: Teardown,
  { name, made }: { readonly name: string; readonly made: () => readonly Fixture[] },
): Promise<string | undefined> {
  const { client, table } = run;
  const family = table[name];
  const left = () => made().filter(({ id }) => client.standing(name, id) === 'ours');
  const first = left();
  for (const fixture of first.slice(0, MOST_REMOVED)) await removeNoted(run, fixture);
  const records = left().length;
  if (records > 0 && records === first.length)
    return `${counted(records, 'record')} of the first tries could not be removed`;
  const endpoints = family !== undefined && hasOp(family, 'apply') ? client.applied().length : 0;
  return endpoints > 0 ? `${counted(endpoints, 'endpoint')} of the first tries could not be cleared` : undefined;
}
