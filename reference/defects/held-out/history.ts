import { FAMILIES } from '../../../lib/contract/families.ts';
import { type Family, type FamilyTable, fieldsOf } from '../../../lib/contract/types.ts';
import { vendorFacts } from '../../../lib/contract/vendor.ts';
import { bothWraps } from '../generated/watch.ts';
import { effectOf, effectsIn, violatedBy } from './effects.ts';
import { type Life, lives } from './life.ts';
import type { Mistake } from './mistake.ts';

/** Something that was done to a record before. */
interface Past {
  readonly id: string;
  readonly title: string;
  readonly fits: (row: Family) => boolean;
  readonly holds: (life: Life) => boolean;
  /** The record was updated, so that there is a state before. */
  readonly isUpdated?: true;
  readonly violates?: readonly string[];
}

const isUpdated = ({ ops }: Family) => ops.includes('update');

const PASTS: readonly Past[] = [
  {
    id: 'kept-name',
    title: 'that an update renamed and a further one left its new name',
    fits: isUpdated,
    holds: ({ keptName }) => keptName,
    isUpdated: true,
  },
  {
    id: 'recased',
    title: 'that was renamed in case only',
    fits: isUpdated,
    holds: ({ recased }) => recased,
    isUpdated: true,
  },
  {
    id: 'mended',
    title: 'whose update was refused and then taken',
    fits: isUpdated,
    holds: ({ mended }) => mended,
    isUpdated: true,
  },
  {
    id: 'wanted',
    title: 'whose name another create was refused',
    fits: ({ name, ops }) => ops.includes('create') && vendorFacts(name).unique !== undefined,
    holds: ({ wanted }) => wanted,
  },
  {
    id: 'bulk',
    title: 'that was made in bulk',
    fits: ({ ops }) => ops.includes('bulkSubmit') && ops.includes('create'),
    holds: ({ bulk }) => bulk,
    violates: ['SPC-BULK'],
  },
  {
    id: 'generated',
    title: 'whose number was generated',
    fits: (row) => Object.values(fieldsOf(row)).some(({ type }) => typeof type === 'object' && 'range' in type),
    holds: ({ generated }) => generated,
    violates: ['RES-SGTVAL'],
  },
  {
    id: 'own-id',
    title: 'that was made under an id of its own',
    fits: (row) => fieldsOf(row)['id']?.sentOn === 'create+update',
    holds: ({ ownId }) => ownId,
    violates: ['PAY-ID'],
  },
];

/** Families whose records a family shows: its own, or those of the families it is a view of. */
const sourcesOf = (table: FamilyTable, family: string) =>
  (table[family]?.viewOf ?? [family]).flatMap((name) => table[name] ?? []);

const pastOf = (id: unknown): Past => {
  const past = PASTS.find((each) => each.id === id);
  if (past === undefined) throw new Error(`no past ${String(id)}`);
  return past;
};

/** What was done before to a record, met with what is done now. */
export const HISTORY: Mistake = {
  id: 'history-effect',
  sentence: 'It manages configuration records through create, read, update, delete and list operations.',
  title: ({ family, past, effect }) => `${family}: ${effectOf(effect).title} a record ${pastOf(past).title}`,
  places: (table) =>
    Object.keys(table).flatMap((family) =>
      PASTS.filter(({ fits }) => sourcesOf(table, family).some(fits)).flatMap((past) =>
        effectsIn(table, family, past.isUpdated === true).map((effect) => ({
          family,
          past: past.id,
          effect: effect.id,
        })),
      ),
    ),
  violates: ({ family, past, effect }) => [
    ...violatedBy(effectOf(effect), family, FAMILIES),
    ...(pastOf(past).violates ?? []),
  ],
  install: ({ family, past, effect }, kit, watch) => {
    const { of, wraps } = lives(kit, watch);
    const { holds } = pastOf(past);
    const suffers = ({ id }: { readonly id: string }) => {
      const life = of(id);
      return life !== undefined && holds(life);
    };
    return bothWraps(
      wraps,
      effectOf(effect).wraps({ family, kit, watch, suffers, before: ({ id }) => of(id)?.before }),
    );
  },
};
