import { runScenario, type Verdict } from './run-scenario.ts';
import type { Armed, Scenario } from './scenario.ts';

/** Rules that both verdicts broke. */
const sameRule = (a: Verdict, b: Verdict) =>
  b.violations.some(({ rule }) => a.violations.some((one) => one.rule === rule));

/** The scenario with only those mutations, and as few of their answers, as still break one of the same rules. */
export async function shrink(
  scenario: Scenario,
  failed: Verdict,
): Promise<{ readonly scenario: Scenario; readonly verdict: Verdict }> {
  let best = { scenario, verdict: failed };
  const attempt = async (armed: readonly Armed[]) => {
    const smaller = { ...best.scenario, armed };
    const verdict = await runScenario(smaller);
    if (!sameRule(failed, verdict)) return false;
    best = { scenario: smaller, verdict };
    return true;
  };
  for (const one of scenario.armed) {
    if (best.scenario.armed.length > 1) await attempt(best.scenario.armed.filter((other) => other !== one));
  }
  for (const one of best.scenario.armed) {
    if (one.most > 1)
      await attempt(
        best.scenario.armed.map((other) => (other.id === one.id ? { ...other, most: 1, share: 1 } : other)),
      );
  }
  return best;
}
