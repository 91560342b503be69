import { present } from '../../present.ts';
import type { Statement } from '../../records/answer.ts';
import type { ConformanceReport, Report } from '../../records/report.ts';
import { runOptions } from '../../records/run-options.ts';
import { be, counted, duration, some } from '../../text.ts';
import { isTooFew } from '../cell/judge-load.ts';
import { isExpected } from '../conformance/baseline/known.ts';
import { isOpen } from '../conformance/rollup.ts';
import { hiddenByTarget } from '../conformance/unproven.ts';
import { say } from './statement.ts';

export const hasProven = ({ counts }: ConformanceReport): boolean => counts.pass + counts.warn + counts.fail > 0;

/** True if a run has a result that says something, a cell or a step of a search: of one that has none, its end says all. */
export const hasShown = ({ conformance, load, capacity }: Pick<Report, 'conformance' | 'load' | 'capacity'>): boolean =>
  (conformance !== null && hasProven(conformance)) ||
  (load?.cells.length ?? 0) + (load?.notRun?.length ?? 0) + (capacity?.answers.length ?? 0) > 0;

/** Lengths of a load that are enough to sign off on. */
const FOR_SIGN_OFF: ReadonlySet<string> = new Set(['normal', 'deep']);

/** What was asked and the run does not show, in short sentences; what was not asked is not named. */
export function notShown(parts: Pick<Report, 'conformance' | 'load' | 'run' | 'catalogue'>): readonly Statement[] {
  const { conformance, load, run, catalogue } = parts;
  const open = (conformance?.results ?? []).filter((result) => isOpen(result.verdict) && !isExpected(result)).length;
  const hidden = hiddenByTarget(parts);
  const excused = conformance?.baseline?.consequences.length ?? 0;
  const missing = conformance === null ? 0 : catalogue.families.length - conformance.families.length;
  const quick = load?.cells.find(({ facts }) => !FOR_SIGN_OFF.has(facts.depth))?.facts.plan;
  const seconds = quick === undefined ? 0 : quick.durationSeconds - quick.warmupSeconds;
  // The load of a run writes ANC in any mode.
  const [who, but] = load === null ? ['run was', ''] : ['checks were', ', but for the ANC of the load'];
  const limits = present(
    run.mode === 'read-only' && `anything that writes${but}: the ${who} read-only`,
    run.mode === 'own-data' && `ANC and bulk requests${but}: the ${who} of mode own-data`,
    runOptions(run).depth === 'quick' && 'mistakes that depend on what was written before: the run was of depth quick',
    missing > 0 && `${counted(missing, 'resource')} that ${be(missing)} not part of this run`,
    open > 0 && `${counted(open, 'result')} that ${be(open)} unclear`,
    hidden > 0 && `${counted(hidden, 'result')} that this target cannot show`,
    excused > 0 && `${counted(excused, 'result')} that expected failures keep from being decided`,
  );
  const long = quick && `the rate for longer than ${duration(seconds * 1000)}: not for sign-off`;
  const few = (load?.cells ?? []).filter(({ facts }) => isTooFew(facts, run.target)).map(({ profile }) => profile);
  const size = few.length > 0 && `a deployment of ${some([...new Set(few)])}: too few of its endpoints were used`;
  return present(...(conformance === null ? [] : limits), long, size).map((text) => say(text, 'not shown', text));
}
