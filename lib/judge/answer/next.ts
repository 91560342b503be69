import { type Answer, RUN } from '../../records/answer.ts';
import { resultKey } from '../../records/conformance.ts';
import type { Report } from '../../records/report.ts';
import { runOptions } from '../../records/run-options.ts';

type Parts = Pick<Report, 'conformance' | 'cleanup' | 'run'>;

/** An option as it was given to the run, to be typed again. */
function again(run: Report['run'], name: 'endpoints' | 'policy'): string[] {
  const given = runOptions(run)[name];
  return given === undefined ? [] : [`--${name}`, given];
}

/** Files of families that the run was given: its imported families are unknown without them. */
const familyFiles = (run: Report['run']): string[] =>
  (runOptions(run).familyFiles ?? []).flatMap((file) => ['--families', file]);

/** What to do next: remove what was left, repeat the first failure, or look at the whole. */
export function nextSteps({ conformance, cleanup, run }: Parts): Answer['next'] {
  const { baseUrl, embedded } = run.target;
  if (!embedded && cleanup.residue.length > 0) {
    const args = [
      'sweep',
      '--journal',
      RUN,
      '--base-url',
      baseUrl,
      ...again(run, 'endpoints'),
      ...again(run, 'policy'),
      ...familyFiles(run),
    ];
    return [{ text: 'remove what was left', args }];
  }
  const fresh = conformance?.causes.find(({ expected }) => !expected);
  const key = fresh?.example?.result ?? fresh?.results[0];
  const failed = conformance?.results.find((result) => resultKey(result) === key);
  const file = conformance?.baseline?.file;
  const isMended = conformance?.baseline?.entries.some(({ outcome }) => outcome === 'stale') === true;
  const pool = run.mode === 'full' ? [...again(run, 'endpoints'), ...again(run, 'policy')] : [];
  const where = ['--mode', run.mode, '--base-url', baseUrl, ...pool, ...familyFiles(run)];
  if (!embedded && failed === undefined && isMended && file !== undefined) {
    const args = ['conformance', ...where, '--update-baseline', file];
    return [{ text: 'take what was mended out of the baseline', args }];
  }
  if (embedded || failed === undefined) {
    return [{ text: 'see the whole report', args: ['report', 'open', RUN] }];
  }
  const variant = failed.variant === undefined ? [] : ['--variant', failed.variant];
  const args = ['report', 'replay', RUN, failed.checkId, '--family', failed.family, ...variant, ...where];
  return [{ text: 'try the first failure again', args }];
}
