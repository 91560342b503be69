import { entriesOf, idOf } from '../../../lib/wire/answer.ts';
import type { CheckContext } from '../check.ts';
import { tooLittle } from '../too-little.ts';

/** Id of a record of the family: one made for the check where the run may make one, else the first of the list. */
export async function anyId(context: CheckContext): Promise<string> {
  if (context.run.mayCreate()) return (await context.fixture()).id;
  const id = idOf(entriesOf(await context.send('list'))?.[0]);
  if (id === undefined) throw tooLittle(context, { why: 'the list holds no record', needs: 'a record' });
  return id;
}
