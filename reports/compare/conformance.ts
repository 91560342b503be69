import { isOutside } from '../../lib/contract/requirement-sets.ts';
import { defined } from '../../lib/defined.ts';
import { groupBy } from '../../lib/group-by.ts';
import { answeredStatus } from '../../lib/judge/conformance/baseline/known.ts';
import { failureOf, failureText } from '../../lib/judge/conformance/cause/failure.ts';
import { type ConformanceResult, resultKey, UNKNOWN } from '../../lib/records/conformance.ts';
import type { ConformanceReport, Report } from '../../lib/records/report.ts';
import { runOptions } from '../../lib/records/run-options.ts';
import { Depth, Mode, type Verdict } from '../../lib/records/vocabulary.ts';

/** One result in two runs; null if the run does not have it. */
export interface Change {
  readonly key: string;
  readonly title: string;
  /** What goes wrong, in the run in which it fails. */
  readonly cause?: string;
  readonly before: Verdict | null;
  readonly after: Verdict | null;
  /** One of the two failures passed when its own run tried it again: it may come and go by itself. */
  readonly flaky?: true;
  /** It failed in both runs, in another way: how before, and how after. */
  readonly changed?: readonly [before: string, after: string];
}

export const isDecided = (verdict: Verdict | null): boolean => ['pass', 'fail', 'warn'].includes(verdict ?? '');

/** How a result fails in two runs, if only the baseline of the first expects it: by the answer, or by all that it is about. */
function changedOf(old: ConformanceResult | undefined, now: ConformanceResult | undefined): Change['changed'] {
  if (old?.verdict !== 'fail' || now?.verdict !== 'fail' || !old.failure || !now.failure) return undefined;
  const [before, after] = [failureText(failureOf(old)), failureText(failureOf(now))];
  if (before !== after) return [before, after];
  const [was, is] = [answeredStatus(old), answeredStatus(now)];
  return was === is ? undefined : [String(was ?? 'no answer'), String(is ?? 'no answer')];
}

function changesOf(a: ConformanceReport, b: ConformanceReport): readonly Change[] {
  const byKey = ({ results }: ConformanceReport) => new Map(results.map((result) => [resultKey(result), result]));
  const [before, after] = [byKey(a), byKey(b)];
  const causes = new Map(
    [a, b].flatMap((part) => part.causes.flatMap((one) => one.results.map((key) => [key, one.title]))),
  );
  return [...new Set([...after.keys(), ...before.keys()])].map((key) => {
    const [old, now] = [before.get(key), after.get(key)];
    return {
      key,
      title: (now ?? old)?.title ?? '',
      before: old?.verdict ?? null,
      after: now?.verdict ?? null,
      ...defined({
        cause: causes.get(key),
        flaky: old?.flaky || now?.flaky || undefined,
        changed: changedOf(old, now),
      }),
    };
  });
}

function driftOf(a: ConformanceReport['dialect'], b: ConformanceReport['dialect']) {
  return Object.entries(b).flatMap(([id, { question, answer }]) => {
    const known = a[id];
    if (
      known === undefined ||
      [known.answer, answer].includes(UNKNOWN) ||
      JSON.stringify(known.answer) === JSON.stringify(answer)
    )
      return [];
    return [{ question: `${id}: ${question}`, before: known.answer, after: answer }];
  });
}

const depthOf = ({ run }: Report): Depth => runOptions(run).depth ?? 'normal';

/** True if the first of two runs asked for less: a pass in it says less than a pass in the other one. */
export const askedLess = (a: Report, b: Report): boolean =>
  Mode.options.indexOf(a.run.mode) < Mode.options.indexOf(b.run.mode) ||
  Depth.options.indexOf(depthOf(a)) < Depth.options.indexOf(depthOf(b));

/**
 * Kinds of changes. `failingUntested`: the first run did not decide them, or asked for less, so that they may have failed all
 * along; `newRequirements`: not in the set of the first run; `changed`: failed before, and fail in another way.
 */
const KINDS = [
  ...(['newlyFailing', 'failingUntested', 'newRequirements', 'fixed'] as const),
  ...(['changed', 'stillFailing', 'newlyNotProven'] as const),
] as const;
type Kind = (typeof KINDS)[number];

/** Compares the conformance parts of two reports, the older one first; null if one has none. */
export function compareConformance(a: Report, b: Report) {
  if (a.conformance === null || b.conformance === null) return null;
  const set = runOptions(a.run).requirements;
  const changes = changesOf(a.conformance, b.conformance);
  const later = b.conformance.results.filter(({ requirement }) => isOutside(set, requirement)).map(resultKey);
  const isLater = new Set(later);
  /** What a change is; a result that is gone is never fixed. */
  const kindOf = ({ key, before, after, changed }: Change): Kind | 'alike' => {
    const isShown = !askedLess(a, b) && isDecided(before);
    if (after === 'fail' && before !== 'fail')
      return isLater.has(key) ? 'newRequirements' : isShown ? 'newlyFailing' : 'failingUntested';
    if (before === 'fail' && after === 'fail')
      return changed === undefined || askedLess(a, b) || askedLess(b, a) ? 'stillFailing' : 'changed';
    if (before === 'fail' && after === 'pass') return askedLess(b, a) ? 'newlyNotProven' : 'fixed';
    return isDecided(before) && after !== null && !isDecided(after) ? 'newlyNotProven' : 'alike';
  };
  const kinds = groupBy(changes, kindOf);
  const of = Object.fromEntries(KINDS.map((kind) => [kind, kinds.get(kind) ?? []])) as Record<Kind, readonly Change[]>;
  const where = (test: (change: Change) => boolean) => changes.filter(test);
  return {
    compared: where(({ before, after }) => before !== null && after !== null).length,
    ...of,
    added: where(({ before }) => before === null),
    removed: where(({ after }) => after === null),
    drift: driftOf(a.conformance.dialect, b.conformance.dialect),
  };
}
export type ConformanceComparison = NonNullable<ReturnType<typeof compareConformance>>;

/** Circumstances in which two runs differ, so that a difference of results may have another cause than the target. */
export function differentCircumstances(a: Report, b: Report): readonly string[] {
  const facts = ({ run }: Report): Readonly<Record<string, string>> => ({
    target: run.target.baseUrl,
    mode: run.mode,
    depth: runOptions(run).depth ?? 'normal',
    seed: String(run.seed),
    version: `${run.tool.name} ${run.tool.version}`,
    'specification tables': run.specDigest.slice(0, 12),
    'set of requirements': runOptions(run).requirements ?? 'not recorded',
    families: JSON.stringify(runOptions(run).families ?? 'all'),
    checks: JSON.stringify(runOptions(run).checks ?? 'all'),
  });
  const [before, after] = [facts(a), facts(b)];
  const differing = Object.entries(before).filter(([name, value]) => after[name] !== value);
  const cut = [a, b].filter(({ complete }) => !complete).map(({ run }) => `run ${run.runId} is incomplete`);
  return [...differing.map(([name, value]) => `${name}: ${value} → ${after[name]}`), ...cut];
}
