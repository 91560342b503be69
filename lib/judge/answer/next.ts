import { optionsOf } from '../../option.ts';
import { type Answer, RUN } from '../../records/answer.ts';
import { resultKey } from '../../records/conformance.ts';
import type { Report } from '../../records/report.ts';
import { RunOptions, runOptions } from '../../records/run-options.ts';
import { isExpected } from '../conformance/baseline/known.ts';
import { isOutOfTime } from '../conformance/unproven.ts';

type Parts = Pick<Report, 'conformance' | 'load' | 'cleanup' | 'run' | 'end'>;

const REACHED = ['ca', 'cert', 'key', 'insecure', 'allowHttp'] as const;

/** Options as they were given to the run, to be typed again; without the files of families its imported families are unknown. */
function again(run: Report['run'], ...keys: readonly (keyof RunOptions)[]): string[] {
  const given = runOptions(run);
  return keys.flatMap((key) => {
    const flag = `--${optionsOf(RunOptions).find((option) => option.key === key)?.name}`;
    const values = [given[key] ?? []].flat();
    return values.flatMap((value) => (value === true ? [flag] : value === false ? [] : [flag, String(value)]));
  });
}

export function sweepArgs(run: Report['run']): string[] {
  const where = ['--journal', RUN, '--base-url', run.target.baseUrl];
  return ['sweep', ...where, ...again(run, ...REACHED, 'endpoints', 'policies', 'familyFiles')];
}

/** What to do next: remove what was left, repeat the first unexpected failure, else the first unclear result, try what was refused, or look at the whole. */
export function nextSteps({ conformance, load, cleanup, run, end }: Parts): Answer['next'] {
  const { baseUrl, embedded } = run.target;
  if (!embedded && cleanup.residue.length > 0) return [{ text: 'remove what was left', args: sweepArgs(run) }];
  const fresh = conformance?.causes.find(({ expected }) => !expected);
  const key = fresh?.example?.result ?? fresh?.results[0];
  const failed = conformance?.results.find((result) => resultKey(result) === key);
  const isCut = end?.signal !== undefined || isOutOfTime(conformance);
  const open = conformance?.results.find((result) => result.verdict === 'inconclusive' && !isExpected(result));
  const first = failed ?? (isCut ? undefined : open);
  const file = conformance?.baseline?.file;
  const isMended = conformance?.baseline?.entries.some(({ outcome }) => outcome === 'stale') === true;
  const isAdded = conformance?.causes.some(({ newRequirement }) => newRequirement === true) === true;
  const pool = run.mode === 'full' ? again(run, 'endpoints', 'policies') : [];
  const where = ['--mode', run.mode, '--base-url', baseUrl, ...pool, ...again(run, ...REACHED, 'familyFiles')];
  if (!embedded && failed === undefined && (isMended || isAdded) && file !== undefined) {
    // Without what it was asked for, a run sees more, or less.
    const asked = again(run, 'families', 'checks', ...(runOptions(run).depth === 'normal' ? [] : (['depth'] as const)));
    const args = ['conformance', ...where, ...asked, '--update-baseline', file];
    return [{ text: isAdded ? 'accept what is new in the suite' : 'take what was mended out of the baseline', args }];
  }
  if (!embedded && first === undefined && load?.notRun !== undefined) {
    const pool = again(run, 'endpoints', 'policies', ...REACHED);
    return [
      {
        text: 'with other endpoints or another policy, try each operation once',
        args: ['doctor', '--base-url', baseUrl, ...pool],
      },
    ];
  }
  if (embedded || first === undefined) return [{ text: 'see the whole report', args: ['report', 'open', RUN] }];
  const variant = first.variant === undefined ? [] : ['--variant', first.variant];
  const args = ['report', 'replay', RUN, first.checkId, '--family', first.family, ...variant, ...where];
  return [{ text: `try the first ${failed === undefined ? 'unclear result' : 'failure'} again`, args }];
}
