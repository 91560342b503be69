import { causesOf } from '../../lib/judge/conformance/cause/causes.ts';
import { counted } from '../../lib/numbers.ts';
import type { ConformanceResult } from '../../lib/records/conformance.ts';
import type { LiveChecks } from '../../reports/model/live.ts';
import type { Live } from '../live/live.ts';
import type { Output } from './output.ts';
import { startProgress, timeLeft } from './progress.ts';
import type { WorkShare } from './work-share.ts';

/** Shows the checks as they go, on the terminal and, where there is one, on the live page. */
export function checksView(output: Output, planned: number, work: WorkShare, live: Live | undefined) {
  const progress = startProgress('conformance', planned, output);
  const startedMs = performance.now();
  const inWork = new Map<string, { check: string; sequences?: string }>();
  const counts: Partial<Record<ConformanceResult['verdict'], number>> = {};
  const failed: ConformanceResult[] = [];
  let causes: LiveChecks['causes'] = [];
  let causesOfMany = 0;
  let [done, share] = [0, 0];
  const show = (family: string, next: number) => {
    share = next;
    progress.update(done, family, share);
  };
  const soFar = (): LiveChecks => {
    if (failed.length !== causesOfMany) causes = causesOf(failed.map((result) => ({ result })));
    causesOfMany = failed.length;
    const at = [...inWork].map(([family, one]) => ({ family, ...one }));
    return { done, planned, share, counts, inWork: at, causes };
  };
  live?.checks(soFar);
  live?.follow(() => ({ doing: `conformance ${done}/${planned}`, left: timeLeft(startedMs, share) }));
  return {
    check(family: string, check: string) {
      inWork.set(family, { check });
    },
    result(result: ConformanceResult) {
      done += 1;
      if (inWork.get(result.family)?.check === result.checkId) inWork.delete(result.family);
      counts[result.verdict] = (counts[result.verdict] ?? 0) + 1;
      if (result.verdict === 'fail') failed.push(result);
      show(result.family, work.results(done));
    },
    sequences(family: string, made: number, of: number) {
      const check = inWork.get(family)?.check ?? '';
      inWork.set(family, { check, sequences: `${made} of ${counted(of, 'sequence')}` });
      show(family, work.sequences(family, made, of));
    },
    stop() {
      inWork.clear();
      progress.stop();
    },
  };
}
