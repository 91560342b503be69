import * as z from 'zod';
import { ints, Mode, numbers, textLists, texts } from './vocabulary.ts';

export const Cost = z.object(ints('durationMs', 'requests', 'runs', 'workers'));

/** Pairs of conditions that were tried on a deployment, of those possible there. */
export const PairTotals = z.object(ints('possible', 'exercised'));

export const DefectScore = z.object({
  ...texts('id', 'title'),
  /** Requirements it violates; `*` stands for any family or operator. */
  violates: z.array(z.string()),
  /** Seeds in which a check accused the deployment, of all that were run. */
  ...ints('killedIn', 'seeds'),
  /** Seeds in which the time was over before all checks had run; they never count as killed. */
  timedOut: z.int(),
  /** Accused, in every seed, for a requirement that the defect violates. */
  right: z.boolean(),
  /** Other requirements accused in any seed; `{family}` where the id names one. */
  others: z.array(z.string()),
  /** Checks that accused in every seed, and those of them for a requirement that the defect violates. */
  ...textLists('killers', 'rightKillers'),
});
export type DefectScore = z.infer<typeof DefectScore>;

/** A conforming deployment, and the checks that accused it. */
export const AllowedScore = z.object({
  ...texts('key', 'title'),
  exit: z.int(),
  alarms: z.array(z.string()),
});
export type AllowedScore = z.infer<typeof AllowedScore>;

export const NullScore = z.object({
  ...texts('id', 'title'),
  exit: z.int(),
  expected: z.array(z.int()),
  /** Passes that nothing could stand behind, as `check requirement`. */
  vacuous: z.array(z.string()),
  timedOut: z.boolean(),
});
export type NullScore = z.infer<typeof NullScore>;

export const GateRow = z.object({ text: z.string(), wanted: z.string(), got: z.string(), met: z.boolean() });
export type GateRow = z.infer<typeof GateRow>;

/** `selftest.json`: how well the suite tells deployments apart. Same seed, same score, but for `cost`. */
export const SelftestScore = z.object({
  selftestVersion: z.literal(1),
  seed: z.int(),
  scope: z.enum(['full', 'quick', 'chosen']),
  met: z.boolean(),
  gate: z.array(GateRow),
  totals: z.object({
    ...ints('defects', 'killed', 'right'),
    ...numbers('othersMedian', 'othersP95'),
    ...ints('allowed', 'falseAlarms', 'nullTargets', 'vacuous', 'wrongExits'),
  }),
  /** Those of the embedded deployment without a fault; absent in scores of before. */
  pairs: PairTotals.optional(),
  defects: z.array(DefectScore),
  allowed: z.array(AllowedScore),
  nullTargets: z.array(NullScore),
  /** Defects that one check alone kills. */
  onlyOne: z.array(z.object({ defect: z.string(), check: z.string() })),
  /** Checks that can fail or warn and accuse no defect and no null target, with what they are there for. */
  idle: z.array(z.object({ check: z.string(), level: z.string(), reason: z.string().optional() })),
  cost: Cost,
});
export type SelftestScore = z.infer<typeof SelftestScore>;

export const PersonaRun = z.object({
  mode: Mode,
  exit: z.int(),
  /** Failures and warnings for a requirement that a rule contradicts. */
  right: z.int(),
  /** All others, checks that ended in an error, and faults that ended the run. */
  false: z.array(z.string()),
  /** Keys of results that the clean deployment decides and this one leaves open, with their reasons. */
  lost: z.array(z.object({ key: z.string(), reason: z.string() })),
  /** How many more nobody could decide on this deployment. */
  unavoidable: z.int(),
  /** Records left behind, and records of others that are gone or changed, as `family/id`. */
  ...textLists('left', 'harmed'),
  /** Operations and filter cells that were exercised with a witness. */
  ...ints('operations', 'filters'),
  requests: z.int(),
  durationMs: z.number(),
});
export type PersonaRun = z.infer<typeof PersonaRun>;

export const PersonaScore = z.object({
  kind: z.enum(['clean', 'persona', 'rule', 'pair']),
  name: z.string(),
  runs: z.array(PersonaRun),
});
export type PersonaScore = z.infer<typeof PersonaScore>;

/** `personas.json`: what the suite makes of deployments that answer as the real product is known to. */
export const PersonasScore = z.object({
  personaScoreVersion: z.literal(1),
  seed: z.int(),
  met: z.boolean(),
  gate: z.array(GateRow),
  scores: z.array(PersonaScore),
  cost: Cost,
});
export type PersonasScore = z.infer<typeof PersonasScore>;
