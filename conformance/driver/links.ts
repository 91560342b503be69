import type { Exchange } from '../../lib/client/types.ts';
import { hasOp } from '../../lib/contract/types.ts';
import { TargetError } from '../../lib/errors.ts';
import { endOf, idOf, isSuccess, recordOf } from '../../lib/wire/answer.ts';
import type { ShownEntry } from '../model/observation.ts';
import type { Session } from './session.ts';

/** A link to a record: everything before the id is its form. */
type Link = Pick<ShownEntry, 'id' | 'href'>;

const formOf = ({ id, href }: Link): string | undefined =>
  href?.endsWith(`/${id}`) === true ? href.slice(0, -id.length) : undefined;

const shows = (exchange: Exchange, id: string): boolean => isSuccess(exchange) && idOf(recordOf(exchange) ?? {}) === id;

/** Whether a link leads to its record; undefined if that cannot be told, as if the record is gone. */
async function leads({ context }: Session, family: string, id: string, href: string): Promise<boolean | undefined> {
  // Links name nodes and gateways as they like: the path alone counts.
  const path = href.replace(/^[a-z]+:\/\/[^/]*/i, '');
  try {
    const followed = await context.follow(path, family);
    if (shows(followed, id)) return true;
    if (![400, 404, 405, 410].includes(followed.status)) return undefined;
  } catch (fault) {
    if (!(fault instanceof TargetError && fault.code === 'foreign-link')) throw fault;
  }
  return shows(await context.send('read', { id }, family), id) ? false : undefined;
}

/** Follows one link of each form that was not followed before. */
export async function followLinks(session: Session, family: string, links: readonly Link[]): Promise<void> {
  const shape = session.context.table[family];
  if (shape === undefined || !hasOp(shape, 'read')) return;
  const forms = session.lessons.links.get(family) ?? new Map<string, boolean>();
  session.lessons.links.set(family, forms);
  for (const link of links) {
    const form = formOf(link);
    if (form === undefined || forms.has(form)) continue;
    const told = await leads(session, family, link.id, link.href ?? '');
    if (told !== undefined) forms.set(form, told);
  }
}

/** True for an address under the path of another family, which shows other records. A view shows those of its families. */
function isOfOther({ context: { table } }: Pick<Session, 'context'>, family: string, form: string): boolean {
  const [named = ''] = form.split('/').slice(-2);
  const isRelated = table[named]?.viewOf?.includes(family) || table[family]?.viewOf?.includes(named);
  return Object.hasOwn(table, named) && named !== family && isRelated !== true;
}

/** True if a link leads nowhere although others of another form work, or names another family: no matter of the target's own names. */
export function isDeadLink(session: Session, family: string, link: Link): boolean {
  const { context, others } = session;
  const forms = session.lessons.links.get(family);
  const form = formOf(link);
  // What ends with the id of a record of others leads to that one.
  if (form === undefined) return family === context.family.name && others.there.has(endOf(link.href ?? '') ?? '');
  if (forms?.get(form) !== false) return false;
  return [...forms.values()].includes(true) || isOfOther(session, family, form);
}
