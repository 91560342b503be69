import type { Difference } from './difference.ts';
import { doOthersWrite } from './others.ts';
import type { World } from './world.ts';

/** Looks this often again after a wrong answer became right: without a write in between, it has to stay right. */
const LOOKS_AGAIN = 3;
/** And this often where the last write was longer ago than one takes to show: then the wrong answer was not a late one. */
const LOOKS_AGAIN_AT_REST = 48;

/**
 * Looks until there is no difference, at most for the visibility window. A difference that goes and comes back without
 * a write in between stays one, unless others write.
 */
export async function settled(
  world: World,
  look: () => Promise<Omit<Difference, 'family'> | undefined>,
): Promise<Omit<Difference, 'family'> | undefined> {
  const { context, lessons, isAtRest } = world;
  lessons.comparisons += 1;
  const most = isAtRest() ? LOOKS_AGAIN_AT_REST : LOOKS_AGAIN;
  let last = await look();
  if (last === undefined) return undefined;
  const isRight = await context.eventually(async () => {
    last = await look();
    return last === undefined ? true : undefined;
  });
  if (isRight !== true) return last;
  for (let again = 0; again < most; again += 1) {
    const back = await look();
    if (back === undefined) continue;
    if (await doOthersWrite(world)) return undefined;
    return { ...back, observed: `${back.observed}, in some answers and not in others` };
  }
  return undefined;
}
