import type { Op } from '../../../../lib/contract/types.ts';
import { withFields } from '../../../deviation.ts';
import type { Fields } from '../../../seams.ts';
import { operators, type Place } from '../line.ts';
import {
  canSpoil,
  isComposite,
  isOnlyText,
  isText,
  SPOILINGS,
  spoiled,
  typeOf,
  withMember,
  writtenMembers,
} from '../members.ts';
import type { Moment } from '../watch.ts';

const WAYS: readonly { readonly op: 'create' | 'update'; readonly by: Op; readonly sent: 'json' | 'xml' }[] = [
  { op: 'create', by: 'create', sent: 'json' },
  { op: 'create', by: 'create', sent: 'xml' },
  { op: 'update', by: 'update', sent: 'json' },
  { op: 'update', by: 'update', sent: 'xml' },
  { op: 'create', by: 'bulkSubmit', sent: 'json' },
  { op: 'update', by: 'bulkSubmit', sent: 'json' },
];

const isWay = ({ by, sent, family }: Place, moment: Moment | undefined) =>
  moment !== undefined && moment.op === by && moment.sent === sent && moment.family === family;

function violated({ by, op, sent }: Place): readonly string[] {
  const payload = op === 'create' ? 'PAY-C' : 'PAY-U';
  if (by === 'bulkSubmit') return ['SPC-BULK', 'SVC-1', payload];
  return [payload, `OP-*-${op === 'create' ? 'C' : 'U'}`, 'RES-*', 'SVC-1', ...(sent === 'xml' ? ['CNV-XML'] : [])];
}

export const WRITTEN = operators('written', 'write', SPOILINGS, (spoiling, id) => {
  const { title, classes, spoil } = spoiling;
  return {
    title: ({ family, member, op, by, sent }) =>
      `${family}: ${member} is stored ${title} by ${by === 'bulkSubmit' ? 'a bulk ' : ''}${op} in ${sent}`,
    places: (table) =>
      WAYS.flatMap(({ op, by, sent }) =>
        writtenMembers(table, op)
          .filter((member) => canSpoil(spoiling, member) && table[member.family]?.ops.includes(by) === true)
          // A create has nothing before it to keep.
          .filter(() => id !== 'kept' || op === 'update')
          // How an object is written in XML is not shown.
          .filter(({ type }) => sent === 'json' || !isComposite(type))
          // There is no second text to be mistaken for.
          .filter(({ family, type }) => id !== 'swapped' || !isText(type) || !isOnlyText(table, family))
          .map(({ family, name }) => ({ family, member: name, op, by, sent })),
      ),
    violates: violated,
    classes: ({ family, member }, table) => (isText(typeOf(table[family], String(member))) ? classes : []),
    install: (place, kit, watch, hit) => {
      const member = String(place['member']);
      const change = (fields: Fields, key: string, before: unknown) => {
        if (fields[member] === undefined || !isWay(place, watch.now())) return fields;
        const value = spoiled(watch, hit, { key, value: fields[member] }, fields[member], (held) =>
          spoil(held, { record: fields, before }),
        );
        if (value === undefined && place['op'] === 'update') return { ...fields, [member]: undefined };
        return withMember(fields, member, value);
      };
      return {
        store: withFields((kind, name, fields, id) => {
          if (name !== place.family || kind !== place['op']) return fields;
          return change(fields, id ?? name, id && kit.seams.store.get(name, id)?.[member]);
        }),
      };
    },
  };
});
