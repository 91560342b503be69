import { isRefusal, remove } from '../../lib/client/cleanup/remove.ts';
import type { Exchange } from '../../lib/client/types.ts';
import { offers } from '../../lib/contract/types.ts';
import { inParallel } from '../../lib/parallel.ts';
import { counted } from '../../lib/text.ts';
import { isSuccess } from '../../lib/wire/answer.ts';
import { answerText } from '../kit/answer.ts';
import type { Fixture } from '../kit/check.ts';
import { sideBySide } from '../kit/delay.ts';
import { nameGiven, referenceOf } from '../kit/fields.ts';
import { poller } from '../kit/poller.ts';
import type { RunScope } from './context.ts';
import type { Trace } from './trace.ts';

/** Removes the fixtures of a trace, newest first, and notes acknowledged deletes that did not happen. Never throws. */
export async function tearDown(run: RunScope, trace: Trace): Promise<void> {
  const client = run.client.view({ label: trace.label });
  const left = trace.fixtures.splice(0).reverse();
  // As many of one family at one time as its checks run: each is waited for until it is gone.
  for (let [first] = left; first !== undefined; [first] = left) {
    const { family, sent } = first;
    const shape = run.table[family];
    const pointsAtOwn = Object.keys(sent).some((member) => referenceOf(run.table, shape, member) === family);
    const others = left.findIndex((fixture) => fixture.family !== family);
    const alike = left.splice(0, others === -1 ? left.length : others);
    const atOnce =
      shape === undefined || pointsAtOwn ? 1 : sideBySide(run.dialect, shape, run.learned.families.get(family));
    await inParallel(alike, atOnce, (fixture) => removeNoted({ ...run, client }, fixture));
  }
}

/** After this many acknowledged deletes of a family that did not happen, no further one is waited for. */
const FUTILE_REMOVALS = 2;

const TRIES = 3;

/** Removes a record, proves it gone within the visibility window, and notes the outcome. What stays is left to the run's clean-up. */
async function removeNoted(run: RunScope, { family, id, sent }: Fixture): Promise<void> {
  const { client, table, writes } = run;
  const isFutile = writes.log(family, 'delete').broken.length >= FUTILE_REMOVALS;
  const eventually = poller(isFutile ? { ...run, visibilityMs: 0 } : run);
  const remover = client.view({ signal: 'ignored' });
  let kept: string | undefined;
  if (offers(table, family, 'delete') && client.standing(family, id) === 'ours') {
    const again = () => remove(remover, { family, id, name: nameGiven(table[family], sent) }, eventually);
    try {
      let removal = await again();
      for (let tries = 1; tries < TRIES && isRefusal(removal.deleted); tries += 1) removal = await again();
      const { deleted, shown } = removal;
      if (isRefusal(deleted)) kept = answerText(deleted as Exchange);
      else if (deleted !== undefined && isSuccess(deleted)) {
        // Deleted and still there: it is back on the books, so that the clean-up tries again and the report tells.
        kept = shown && `${answerText(deleted)}, and ${answerText(shown)}`;
        writes.add(family, 'delete', deleted, kept);
      }
    } catch {
      // No answer: the clean-up meets it again.
    }
  }
  client.kept(family, kept);
}

/** Records that are tried to be removed once more: enough to tell a target that does not delete from one that does so now and then. */
const MOST_REMOVED = 20;

/** Removes once more what the checks of a scope left. Returns why no more may be made: a target that keeps everything gets no more. */
export async function leftBehind(
  run: RunScope,
  { name, made }: { readonly name: string; readonly made: () => readonly Fixture[] },
): Promise<string | undefined> {
  const { client, table } = run;
  const left = () => made().filter(({ id }) => client.standing(name, id) === 'ours');
  const first = left();
  for (const fixture of first.slice(0, MOST_REMOVED)) await removeNoted(run, fixture);
  const records = left().length;
  if (records > 0 && records === first.length)
    return `${counted(records, 'record')} of the first tries could not be removed`;
  const endpoints = offers(table, name, 'apply') ? client.applied().length : 0;
  return endpoints > 0 ? `${counted(endpoints, 'endpoint')} of the first tries could not be cleared` : undefined;
}
