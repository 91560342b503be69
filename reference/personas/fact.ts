import { factoryRecords, personaFacts } from '../../lib/contract/personas.ts';
import { type Family, fieldsOf, hasOp } from '../../lib/contract/types.ts';
import { vendorFacts } from '../../lib/contract/vendor.ts';
import { Problem } from '../answers/problem.ts';
import { problemOutcome } from '../answers/responder.ts';
import { changing, type Deviation } from '../deviation.ts';
import type { Dialect } from '../dialect.ts';
import type { Call } from '../http/wire.ts';
import type { Fields, Kit } from '../seams.ts';

export const CONFIDENCE = {
  R: 'recorded on a real deployment',
  P: 'published machine-readable definition',
  D: 'prose of the vendor',
  F: 'code of a client, or a forum',
  I: 'inferred',
} as const;

type Confidence = keyof typeof CONFIDENCE;

/** Results that a rule keeps every suite from deciding. */
interface Unavoidable {
  /** Checks with their variants, as `check|variant`, with `*` for any text. */
  readonly checks: readonly string[];
  /** Families, if they are not those that the rule affects. */
  readonly affects?: (family: Family) => boolean;
  /** Only in this mode; in all modes if absent. */
  readonly mode?: 'read-only' | 'own-data';
  readonly why: string;
}

/** One way in which the real product is publicly known to answer, beyond `lib/contract/vendor.ts`. */
export interface Fact {
  readonly id: string;
  /** What the product does, in present tense. */
  readonly title: string;
  /** `usual`: on an ordinary 3.x deployment; `some`: on one that was recorded, on other releases, or with a setting. */
  readonly where: 'usual' | 'some';
  readonly confidence: readonly Confidence[];
  /** `contradicts`: the specification, so that a failure is right. `silent`: it says nothing. `setting`: an administrator chose it. */
  readonly relation: 'contradicts' | 'silent' | 'setting';
  /**
   * Requirements that a failure may name, with `*` for any family or operator; only of what contradicts. A word after a colon must
   * stand in the failure, if the requirement covers more than the rule does.
   */
  readonly breaks?: readonly string[];
  readonly source: string;
  /** True for the families that answer otherwise with the rule. */
  readonly affects: (family: Family) => boolean;
  /** Rules that cannot hold beside this one: the one that is named last stays. */
  readonly excludes?: readonly string[];
  readonly unavoidable?: readonly Unavoidable[];
}

/** A fact as its table has it: of an ordinary deployment, where the specification is silent, in all families, unless it says otherwise. */
export type FactRow = Omit<Fact, 'id' | keyof typeof USUAL> & Partial<Fact>;

/** Which families a rule affects, by what they are and not by name. */
export const AFFECTS = {
  all: () => true,
  named: (family: Family) => personaFacts(family.name).names?.of === 'other',
  groups: (family: Family) => personaFacts(family.name).names?.of === 'group',
  described: (family: Family) => hasOp(family, 'create') || hasOp(family, 'bulkSubmit'),
  portalKinds: (family: Family) => personaFacts(family.name).portal !== undefined,
  styled: (family: Family) => personaFacts(family.name).styleSheet !== undefined,
  /** Families that name records of another one, and those that are named. */
  mapped: (family: Family) => {
    const { reference, names } = personaFacts(family.name);
    return reference !== undefined || names?.of === 'group';
  },
  /** Families of one factory record to which no other can be added. */
  single: (family: Family) => !hasOp(family, 'create') && factoryRecords(family.name)?.length === 1,
  empty: (family: Family) => factoryRecords(family.name)?.length === 0,
  /** Families whose bodies carry no description. */
  undescribed: (family: Family) => !('description' in fieldsOf(family)) || !hasOp(family, 'create'),
  counted: (family: Family) => personaFacts(family.name).counter !== undefined,
  views: (family: Family) => family.viewOf !== undefined,
  /** A view and the families whose records it does not show. */
  halfViewed: (family: Family) => family.viewOf !== undefined || personaFacts(family.name).portal !== undefined,
  outside: (family: Family) => {
    const { absent, shownAs, outside } = personaFacts(family.name);
    return absent !== undefined || shownAs !== undefined || outside !== undefined;
  },
  written: (family: Family) => family.ops.some((op) => ['create', 'update', 'delete'].includes(op)),
  deleted: (family: Family) => hasOp(family, 'delete'),
  bulk: (family: Family) => hasOp(family, 'bulkSubmit'),
  anc: (family: Family) => hasOp(family, 'apply'),
  distinct: (family: Family) => (vendorFacts(family.name).unique ?? []).length > 0,
} as const satisfies Readonly<Record<string, (family: Family) => boolean>>;

/** What a fact is unless its row says otherwise. */
export const USUAL = { where: 'usual', relation: 'silent', affects: AFFECTS.all } as const;

/** A fact with what makes a deployment answer so. */
export interface Rule extends Fact, Deviation {}

/** A rule that only chooses other values where the specification is silent. */
export const choosing = (values: Partial<Dialect>): Deviation => changing('dialect', () => values);

/** A rule that looks at a body before anything else does, and may refuse it. */
export const onBody = (look: (name: string, op: 'create' | 'update', fields: Fields) => void): Deviation =>
  changing('rules', (inner) => ({
    check: (name, op, fields) => {
      look(name, op, fields);
      return inner.check(name, op, fields);
    },
  }));

/** A rule that refuses requests for how they are asked, when the login is right. */
export const onRequest = (refusal: (call: Call, kit: Kit) => Problem | undefined): Deviation =>
  changing('gate', (inner, kit) => ({
    admit: (call) => {
      inner.admit(call);
      const problem = refusal(call, kit);
      if (problem !== undefined) throw problem;
    },
  }));

/** A problem whose envelope is in XML, whatever the client accepts. */
export function inXml(kit: Kit, call: Call, problem: Problem): Problem {
  const { document } = problemOutcome(problem, call);
  if (document === undefined) return problem;
  return new Problem(problem.status, problem.code, problem.message, {
    text: kit.seams.codec.encode('xml', document),
    headers: { 'Content-Type': 'application/xml;charset=utf-8' },
  });
}
