import { OPERATOR_NAMES } from '../../../../lib/contract/list.ts';
import { type FamilyTable, type FieldType, fieldsOf, offers } from '../../../../lib/contract/types.ts';
import { memberOf } from '../../../../lib/contract/vendor.ts';
import { FILTER_MISTAKES, type Mistake } from '../filter-mistakes.ts';
import { grows, type Operator } from '../line.ts';
import { isHeld, isText } from '../members.ts';
import { decided, instead } from '../watch.ts';

interface Cell {
  readonly family: string;
  readonly field: string;
  readonly type: FieldType;
  readonly isMac: boolean;
}

function cells(table: FamilyTable): readonly Cell[] {
  return Object.entries(table).flatMap(([family, row]) =>
    row.filters.filter(isHeld(row)).map((field) => {
      const fields = fieldsOf(row);
      const found = fields[memberOf(family, field)] ?? fields[field];
      return { family, field, type: found?.type ?? 'string', isMac: found?.form === 'mac' };
    }),
  );
}

/** Records whose other member differs: the other member must hold a text at all. */
const hasOther = (table: FamilyTable, { family, field }: Cell) =>
  grows(table, family) && !offers(table, family, 'apply') && field !== 'sgtId';

const installFilter =
  ({ holds }: Mistake): Operator['install'] =>
  ({ family, field, operator }, kit, watch, hit) => ({
    query: (inner) => ({
      holds: (record, criterion) => {
        const right = inner.holds(record, criterion);
        const moment = watch.now();
        if (moment?.family !== family || criterion.field !== field || criterion.operator !== operator) return right;
        const { value: asked } = criterion;
        const isHit = decided(moment, asked, () => hit({ key: moment.query, value: asked }));
        const value = record[criterion.member];
        if (!isHit || value === undefined) return right;
        const isEarly = () =>
          kit.seams.store
            .list(family)
            .slice(0, kit.seams.dialect.defaultSize)
            .some(({ id }) => id === record.id);
        return instead(watch, right, holds({ value, record, criterion, isEarly }));
      },
    }),
  });

export const FILTERS: readonly Operator[] = FILTER_MISTAKES.map(
  (mistake): Operator => ({
    id: `filter-${mistake.id}`,
    about: 'operand',
    title: ({ family, field, operator }) => `${family}: ${operator} on ${field} ${mistake.title}`,
    places: (table) =>
      cells(table)
        .filter((cell) => mistake.id !== 'wrong-field' || hasOther(table, cell))
        // What a deployment ships with holds no blank, quote or sign that these would change.
        .filter(({ family }) => !(mistake.id === 'first-page' || mistake.isOperand === true) || grows(table, family))
        .flatMap(({ family, field, type, isMac }) =>
          OPERATOR_NAMES.flatMap((operator) =>
            mistake.fits(operator, type, isMac) ? [{ family, field, operator }] : [],
          ),
        ),
    violates: ({ operator }) => [`FOP-${operator}`, 'LST-FILT', 'FLD-*', 'RES-TYPE', 'FOP-*'],
    classes: ({ family, field }, table) => {
      const cell = cells(table).find((each) => each.family === family && each.field === field);
      return cell !== undefined && isText(cell.type) && !cell.isMac && grows(table, family)
        ? (mistake.classes ?? [])
        : [];
    },
    install: installFilter(mistake),
  }),
);
