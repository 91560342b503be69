import { causesOf } from '../../lib/judge/conformance/cause/causes.ts';
import type { ConformanceResult } from '../../lib/records/conformance.ts';
import { counted } from '../../lib/text.ts';
import type { LiveChecks } from '../../reports/model/live.ts';
import type { Live } from '../live/live.ts';
import { type ConformanceWork, type FamilyDone, NOTHING_DONE } from '../session/conformance-work.ts';
import type { Output } from './output.ts';
import { startProgress } from './progress.ts';

/** Shows the checks as they go, on the terminal and, where there is one, on the live page. */
export function checksView(output: Output, planned: number, work: ConformanceWork, live: Live | undefined) {
  const progress = startProgress('conformance', planned, output);
  const inWork = new Map<string, { check: string; sequences?: string }>();
  const counts: Partial<Record<ConformanceResult['verdict'], number>> = {};
  const failed: ConformanceResult[] = [];
  let causes: LiveChecks['causes'] = [];
  let causesOfMany = 0;
  let [done, share] = [0, 0];
  const byFamily = new Map<string, FamilyDone>();
  const show = (family: string, more: (own: FamilyDone) => Partial<FamilyDone>, said = family) => {
    const own = byFamily.get(family) ?? NOTHING_DONE;
    byFamily.set(family, { ...own, ...more(own) });
    share = work.share(byFamily);
    progress.update(done, said, share);
  };
  const soFar = (): LiveChecks => {
    if (failed.length !== causesOfMany) causes = causesOf(failed.map((result) => ({ result })));
    causesOfMany = failed.length;
    const at = [...inWork].map(([family, one]) => ({ family, ...one }));
    return { done, planned, share, counts, inWork: at, causes };
  };
  live?.checks(soFar);
  live?.follow(() => ({ doing: `conformance ${done}/${planned}`, left: progress.left() }));
  return {
    check(family: string, check: string) {
      inWork.set(family, { check });
    },
    result(result: ConformanceResult) {
      // A check that fails for several things has further results, which nobody could plan.
      done = Math.min(done + 1, planned);
      if (inWork.get(result.family)?.check === result.checkId) inWork.delete(result.family);
      counts[result.verdict] = (counts[result.verdict] ?? 0) + 1;
      if (result.verdict === 'fail') failed.push(result);
      show(result.family, ({ results }) => ({ results: results + (work.has(result) ? 1 : 0) }));
    },
    sequences(family: string, done: number, planned: number) {
      const check = inWork.get(family)?.check ?? '';
      const sequences = `${done} of ${counted(planned, 'sequence')}`;
      inWork.set(family, { check, sequences });
      show(family, () => ({ sequences: done / planned }), `${family} ${sequences}`);
    },
    phase(doing: string) {
      progress.update(done, doing, share);
    },
    stop() {
      inWork.clear();
      progress.stop();
    },
  };
}
