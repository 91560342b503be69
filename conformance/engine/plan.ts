import { createHash } from 'node:crypto';
import { FAMILIES } from '../../lib/contract/families.ts';
import { type Level, levelIn } from '../../lib/contract/requirements.ts';
import type { FamilyTable } from '../../lib/contract/types.ts';
import { defined } from '../../lib/defined.ts';
import { fits, isPattern } from '../../lib/glob.ts';
import { present } from '../../lib/present.ts';
import { resultKey } from '../../lib/records/conformance.ts';
import { Depth, type Mode } from '../../lib/records/vocabulary.ts';
import type { Check, Variant } from '../kit/check.ts';

/** One result that a run will have: a check on a family, or one variant of it. */
export interface PlanEntry {
  readonly key: string;
  readonly check: Check;
  readonly family: string;
  readonly variant: Variant | undefined;
  readonly requirement: string;
  readonly level: Level;
  /** Why the mode rules it out; absent if it does not. */
  readonly skipReason?: string;
}

export interface Selection {
  readonly table?: FamilyTable;
  readonly families?: readonly string[] | undefined;
  readonly checks?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly mode: Mode;
  /** `normal` unless set. */
  readonly depth?: Depth | undefined;
  readonly seed: number;
}

const RANK: Readonly<Record<Mode | Check['needs'], number>> = { read: 0, 'read-only': 0, 'own-data': 1, full: 2 };

export const allows = (mode: Mode, needs: Check['needs']): boolean => RANK[needs] <= RANK[mode];

const reaches = (run: Depth = 'normal', check: Depth = 'quick'): boolean =>
  Depth.options.indexOf(check) <= Depth.options.indexOf(run);

/** True if one of the patterns names the check: exactly, as the beginning of its id, or as a glob. */
export function isSelected(id: string, patterns: readonly string[] | undefined): boolean {
  if (patterns === undefined || patterns.length === 0) return true;
  const isWithin = (area: string) => !isPattern(area) && id.startsWith(area.endsWith('/') ? area : `${area}/`);
  return patterns.some((pattern) => fits(pattern, id) || isWithin(pattern));
}

const isBefore = ({ check }: PlanEntry): boolean => check.afterAll !== true;

/** What a run with these options asks, in order. Pure: nothing is sent. */
export function planConformance(catalog: readonly Check[], options: Selection) {
  const { table = FAMILIES as FamilyTable, exclude = [] } = options;
  const names = Object.keys(table).filter((name) => options.families?.includes(name) ?? true);
  const isLeftOut = (id: string) => exclude.length > 0 && isSelected(id, exclude);
  const isAsked = (id: string) => isSelected(id, options.checks) && !isLeftOut(id);
  const checks = catalog.filter(({ id, depth }) => isAsked(id) && reaches(options.depth, depth));
  const entries = names.flatMap((name) => {
    const family = table[name];
    if (family === undefined) return [];
    return checks
      .filter((check) => check.appliesTo(family, table))
      .flatMap((check) => {
        const variants = check.variants === undefined ? [undefined] : check.variants(family);
        return variants.map((variant): PlanEntry => {
          const requirement = (variant?.requirement ?? check.requirement).replaceAll('{family}', name);
          return {
            key: resultKey({ checkId: check.id, family: name, ...defined({ variant: variant?.name }) }),
            check,
            family: name,
            variant,
            requirement,
            level: levelIn(family, requirement, variant?.level ?? check.level),
            ...(allows(options.mode, check.needs) ? {} : { skipReason: `the run is ${options.mode}` }),
          };
        });
      });
  });
  const inOrder = [...entries.filter(isBefore), ...entries.filter((entry) => !isBefore(entry))];
  const questions = inOrder.map(({ key, requirement }) => `${key} ${requirement}`);
  const asked = present(options.mode, String(options.seed), options.depth === 'deep' && 'deep', ...questions);
  return {
    /** Family by family in table order, each in the order of the catalog; those that run after all families last. */
    entries: inOrder,
    /** Digest of what is checked, with the mode and the seed: two runs with one hash asked the same questions. */
    hash: createHash('sha256').update(asked.join('\n')).digest('hex'),
  };
}

export type ConformancePlan = ReturnType<typeof planConformance>;
