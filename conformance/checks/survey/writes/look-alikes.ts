import { hasOp } from '../../../../lib/contract/types.ts';
import { isSuccess, type JsonObject } from '../../../../lib/wire/answer.ts';
import { attempt, leftBy } from '../../../kit/record/write-attempt.ts';
import { type Alike, LOOK_ALIKE, lookAtAlike, lookAtAlikes, type Wrong } from '../looks/look-alike-looks.ts';
import type { Findings, Topic } from '../world/findings.ts';
import { lookAlikeTexts } from '../world/look-alikes.ts';
import type { Likeness } from '../world/texts.ts';
import type { World } from '../world/world.ts';

type Form = 'json' | 'xml';

/** How one record is made and then changed: each likeness by each form of each write. */
interface Plan {
  readonly form: Form;
  readonly made: Likeness;
  readonly turn: number;
  /** Left as it is where absent. */
  readonly changed?: Likeness;
}

/** Three names of digits stand beside each other, so that their order shows what they are taken for. */
const PLANS: readonly Plan[] = [
  { form: 'json', made: 'digits', turn: 0, changed: 'words' },
  { form: 'xml', made: 'digits', turn: 1, changed: 'words' },
  { form: 'json', made: 'digits', turn: 2 },
  { form: 'json', made: 'words', turn: 0, changed: 'digits' },
  { form: 'xml', made: 'words', turn: 1, changed: 'digits' },
];
/** Updates take other texts than creates, so that no name is there twice. */
const CHANGED_FROM = { digits: 3, words: 2 } as const;

interface Made extends Alike {
  readonly plan: Plan;
  readonly sent: JsonObject;
}

/** Makes the records that the target takes: which names it takes is its own affair, and so is the form of a resource in XML. */
async function makeAlikes(world: World): Promise<readonly Made[]> {
  const context = { ...world.context, ...world.scope };
  const made: Made[] = [];
  const refused = new Set<Likeness>();
  for (const plan of PLANS) {
    if (refused.has(plan.made)) continue;
    const texts = lookAlikeTexts(world, plan.made, plan.turn);
    const tried = await attempt(context, { format: plan.form }, texts);
    if (tried.made === undefined) {
      await leftBy(context, tried);
      if (plan.form === 'json') refused.add(plan.made);
      continue;
    }
    if (plan.form === 'json') world.likenesses.add(plan.made);
    made.push({ plan, id: tried.made.id, texts, sent: tried.sent });
  }
  return made;
}

/** Gives a record texts of the other likeness, in the form in which it was made. */
async function change(world: World, { id, plan, sent }: Made): Promise<Alike | undefined> {
  const { changed, form } = plan;
  if (changed === undefined || !world.likenesses.has(changed)) return undefined;
  const texts = lookAlikeTexts(world, changed, CHANGED_FROM[changed] + Number(form === 'xml'));
  // The form of nested members in XML is not shown.
  const kept = Object.entries(sent).filter(([, value]) => form === 'json' || typeof value !== 'object');
  const fields = { ...Object.fromEntries(kept), ...texts, id };
  const answer = await world.scope.send('update', { id, fields, format: form });
  return isSuccess(answer) ? { id, texts } : undefined;
}

/** Looks until nothing is wrong or the visibility window is over. */
async function judge(
  { context }: World,
  out: Findings,
  topic: Topic,
  look: () => Promise<Wrong | undefined>,
): Promise<boolean> {
  let wrong: Wrong | undefined;
  await context.eventually(async () => {
    wrong = await look();
    return wrong === undefined ? true : undefined;
  });
  if (wrong === undefined) out.held(topic);
  else {
    const { answer } = wrong;
    const about = {
      kind: isSuccess(answer) ? 'value' : 'refused',
      operation: answer.request.op,
      subject: LOOK_ALIKE,
    } as const;
    out.add(topic, { ...wrong, about, exchanges: [answer] });
  }
  return wrong === undefined;
}

/** Records whose name and texts look like numbers, truth values or nothing: every window shows them as they were written. */
export async function surveyAlikes(world: World, out: Findings): Promise<void> {
  const { family, scope, context } = world;
  if (!world.takesAnyName || !(['create', 'read', 'delete'] as const).every((op) => hasOp(family, op))) return;
  if (!context.run.mayCreate()) return;
  const made = await makeAlikes(world);
  const groups = (['digits', 'words'] as const).map((likeness) => made.filter(({ plan }) => plan.made === likeness));
  let isRight = made.length === 0 || (await judge(world, out, 'create', () => lookAtAlikes(world, groups, 'PAY-C')));
  for (const one of made) {
    if (!isRight || !hasOp(family, 'update')) break;
    const changed = await change(world, one);
    if (changed !== undefined) isRight = await judge(world, out, 'update', () => lookAtAlike(world, changed));
  }
  for (const { id } of made) await scope.send('delete', { id });
}
