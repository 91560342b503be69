import type { CheckContext } from '../../kit/check.ts';
import { lookAtFilters } from './looks/filter-looks.ts';
import { lookAtJoins, lookAtPages, lookAtSorts } from './looks/list-looks.ts';
import { lookAtEntries, lookAtOthers, lookAtReads } from './looks/record-looks.ts';
import { bringAbout, DEEPER, ROUNDS } from './looks/rounds.ts';
import { type Findings, findings, type Topic } from './world/findings.ts';
import { openWorld, type World } from './world/world.ts';
import { surveyAnc } from './writes/anc.ts';
import { surveyBulk } from './writes/bulk.ts';
import { surveyAlikes } from './writes/look-alikes.ts';
import { surveyWrites } from './writes/writes.ts';

/** Looks at the records of a family in round after round: every question after every kind of write, and again. */
async function surveyLists(world: World, found: Findings): Promise<void> {
  const rounds = world.context.run.depth === 'deep' ? [...ROUNDS, ...DEEPER] : ROUNDS;
  for (const [turn, round] of rounds.entries()) {
    await bringAbout(world, round.after, turn);
    const plain = await lookAtPages(world, round, found);
    await lookAtEntries(world, plain, round, found);
    await lookAtReads(world, round, found);
    await lookAtOthers(world, round, found);
    await lookAtSorts(world, round, found);
    await lookAtJoins(world, round, found);
    if (found.isOpen('filters')) await lookAtFilters(world, round, found);
  }
}

/** Parts of a survey, in the order in which they change the records of the world. */
const PARTS = ['lists', 'writes', 'bulk', 'anc'] as const;
type Part = (typeof PARTS)[number];

const PART_OF: Readonly<Partial<Record<Topic, Part>>> = {
  create: 'writes',
  update: 'writes',
  delete: 'writes',
  bulk: 'bulk',
  anc: 'anc',
};

/** What the part of the survey that is about the topic came to; each part is made once, and the world once for all. */
export function surveyOf(context: CheckContext, topic: Topic): Promise<Findings> {
  const part = PART_OF[topic] ?? 'lists';
  return context.run.shared(`survey-${part}`, async (scope) => {
    const world = await context.run.shared('survey-world', (held) => openWorld(context, held));
    const out = findings();
    if (part === 'lists') await surveyLists(world, out);
    else if (part === 'writes') {
      await surveyAlikes(world, out);
      await surveyWrites(world, out);
    } else if (part === 'bulk') await surveyBulk({ ...context, ...scope }, world, out);
    else await surveyAnc(world, out);
    return out;
  });
}
