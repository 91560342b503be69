import { type Family, fieldsOf } from '../../lib/contract/types.ts';
import { findRecord, nameOf, type Session } from '../driver/session.ts';
import { referenceOf } from '../kit/fields.ts';
import type { Fields } from '../model/history.ts';

/** Members of a record of the family that make it point at the labeled record, by its id or its name; none if the family does not. */
export function pointing(session: Session, who: string | undefined, family: Family): Fields {
  const known = who === undefined ? undefined : findRecord(session, who);
  if (known === undefined) return {};
  const name = known.fields[nameOf(session, known.family)];
  return Object.fromEntries(
    Object.entries(fieldsOf(family))
      .filter(([member]) => referenceOf(session.context.table, family, member) === known.family)
      .map(([member, { refersBy }]) => [member, refersBy === 'name' ? name : known.id]),
  );
}
