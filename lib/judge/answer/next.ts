import { type Answer, RUN } from '../../records/answer.ts';
import type { Report } from '../../records/report.ts';
import { runOptions } from '../../records/run-options.ts';

type Parts = Pick<Report, 'conformance' | 'cleanup' | 'run'>;

/** An option as it was given to the run, to be typed again. */
function again(run: Report['run'], name: 'endpoints' | 'policy'): string[] {
  const given = runOptions(run)[name];
  return given === undefined ? [] : [`--${name}`, given];
}

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
    ];
    return [{ text: 'remove what was left', args }];
  }
  const failures = conformance?.results.filter(({ verdict }) => verdict === 'fail') ?? [];
  const failed = failures.find(({ known }) => known?.outcome !== 'expected');
  if (embedded || failed === undefined || run.mode === 'full') {
    return [{ text: 'see the whole report', args: ['report', 'open', RUN] }];
  }
  const variant = failed.variant === undefined ? [] : ['--variant', failed.variant];
  const of = ['--family', failed.family, ...variant, '--mode', run.mode, '--base-url', baseUrl];
  return [{ text: 'try the first failure again', args: ['replay', RUN, failed.checkId, ...of] }];
}
