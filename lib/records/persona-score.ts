import * as z from 'zod';
import { GateRow } from './selftest.ts';
import { Mode } from './vocabulary.ts';

/** What the suite made of one deployment in one mode. */
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
  left: z.array(z.string()),
  harmed: z.array(z.string()),
  /** Operations and filter cells that were exercised with a witness. */
  operations: z.int(),
  filters: z.int(),
  requests: z.int(),
  durationMs: z.number(),
});
export type PersonaRun = z.infer<typeof PersonaRun>;

export const PersonaScore = z.object({
  kind: z.enum(['clean', 'persona', 'rule', 'pair']),
  /** Personas and rules, joined by plus signs. */
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
  cost: z.object({ durationMs: z.int(), requests: z.int(), runs: z.int(), workers: z.int() }),
});
export type PersonasScore = z.infer<typeof PersonasScore>;
