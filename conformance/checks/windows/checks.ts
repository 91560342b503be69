import type { Exchange } from '../../../lib/client/types.ts';
import { opRequirementId } from '../../../lib/contract/requirements.ts';
import { hasOp } from '../../../lib/contract/types.ts';
import { defined } from '../../../lib/defined.ts';
import { isSuccess } from '../../../lib/wire/answer.ts';
import { answerText, mustDecide } from '../../kit/answer.ts';
import { type Check, type CheckContext, checkOfEach, type SharedScope } from '../../kit/check.ts';
import { Blocked, CheckFailure } from '../../kit/fault.ts';
import { isCreatable } from '../../kit/fields.ts';
import { RECORDS_HOLD } from '../records-hold.ts';
import { openStory } from './open-story.ts';
import type { Difference, Window } from './read-window.ts';
import type { Story } from './story.ts';
import { windowsOf } from './windows.ts';
import { WRITES, type Write, type Written } from './writes.ts';

/** What came of one write of a story. */
interface Chapter {
  readonly looks: number;
  readonly found?: Difference & { readonly window: Window | undefined };
  readonly fault?: unknown;
  readonly exchanges: readonly Exchange[];
}

/** Exchanges of a chapter that are kept as evidence. */
const KEPT = 12;

/** Looks through every window until all agree, at most for the visibility window. */
async function lookThrough(story: Story, { subject, changed }: Written) {
  let found: (Difference & { window: Window }) | undefined;
  let looks = 0;
  await story.context.eventually(async () => {
    found = undefined;
    looks = 0;
    for (const window of windowsOf(story.family)) {
      const difference = await window.look(story, subject, changed);
      if (difference !== undefined) {
        found = { ...difference, window };
        return undefined;
      }
      looks += 1;
    }
    return true;
  });
  return { found, looks };
}

async function writeOne(story: Story, write: Write, turn: number, sent: Exchange[]): Promise<Chapter | undefined> {
  sent.length = 0;
  try {
    const done = await write.run(story, turn);
    if (done === undefined) return undefined;
    if (!isSuccess(done.answer)) {
      mustDecide(done.answer);
      const about = { kind: 'refused', subject: 'request' } as const;
      const found = { expected: `the ${write.op} taken`, observed: answerText(done.answer), about, window: undefined };
      return { looks: 0, found, exchanges: [...sent] };
    }
    const { found, looks } = await lookThrough(story, done);
    return { looks, ...defined({ found }), exchanges: sent.slice(-KEPT) };
  } catch (fault) {
    return { looks: 0, fault, exchanges: sent.slice(-KEPT) };
  }
}

/** Tells a whole story. It ends at the first contradiction: after that, what is there is not what it says. */
async function tell(context: CheckContext, scope: SharedScope): Promise<ReadonlyMap<string, Chapter>> {
  const chapters = new Map<string, Chapter>();
  const sent: Exchange[] = [];
  const noted = async (exchange: Promise<Exchange>) => {
    sent.push(await exchange);
    return exchange;
  };
  const story = await openStory(context, {
    ...scope,
    send: (...request) => noted(scope.send(...request)),
    follow: (...request) => noted(scope.follow(...request)),
  });
  for (const [turn, write] of WRITES.entries()) {
    if (!hasOp(story.family, write.op)) continue;
    const chapter = await writeOne(story, write, turn, sent);
    if (chapter === undefined) continue;
    chapters.set(write.id, chapter);
    if (chapter.found !== undefined || chapter.fault !== undefined) break;
  }
  return chapters;
}

const hasStory: Check['appliesTo'] = (family) => isCreatable(family) && hasOp(family, 'read');

/** After each kind of write, every way to observe the record agrees with what was written. */
export const windowChecks: readonly Check[] = [
  checkOfEach<Write>({
    id: 'windows/agree',
    depth: 'normal',
    title: 'agreement of all views of a record, and of its neighbors, after a write',
    requirement: opRequirementId('{family}', 'create'),
    level: 'stated',
    appliesTo: hasStory,
    variants: (family) =>
      WRITES.filter(({ op }) => hasOp(family, op)).map((write) => ({
        name: write.id,
        requirement: opRequirementId(family.name, write.op),
        data: write,
      })),
    // Not the checks of the single writes: this one sees the same mistakes by other ways.
    dependsOn: RECORDS_HOLD,
    exercises: ['create', 'read'],
    needs: 'own-data',
    async run(context, write) {
      const chapters = await context.run.shared('windows', (scope) => tell(context, scope));
      const chapter = chapters.get(write.id);
      if (chapter === undefined) {
        const [last, end] = [...chapters].at(-1) ?? [];
        if (end?.found !== undefined || end?.fault !== undefined) throw new Blocked(`the story ended at ${last}`);
        return {
          verdict: 'not-applicable',
          reason: 'the target takes no such write, or the family has nothing to change',
        };
      }
      for (const exchange of chapter.exchanges) context.evidence.add(exchange);
      if (chapter.fault !== undefined) throw chapter.fault;
      const { found } = chapter;
      if (found !== undefined) {
        const { expected, observed, about, window } = found;
        throw new CheckFailure({
          ...{ expected, observed, about: { ...about, operation: write.op } },
          requirement: window?.requirement,
        });
      }
      context.witness('windows', chapter.looks);
      return undefined;
    },
  }),
];
