import { EXIT, weightOf } from '../../exit-codes.ts';
import { optionsOf } from '../../option.ts';
import { present } from '../../present.ts';
import {
  type Answer,
  type Ending,
  type Reason,
  RUN,
  type Statement,
  statementText,
  type Tone,
} from '../../records/answer.ts';
import { resultKey } from '../../records/conformance.ts';
import type { CellReport } from '../../records/load/load.ts';
import type { Report } from '../../records/report.ts';
import { RunOptions, runOptions } from '../../records/run-options.ts';
import { isExpected } from '../conformance/baseline/known.ts';
import { isOutOfTime } from '../conformance/unproven.ts';
import { leftWords } from '../left-as-found.ts';
import type { Scope } from '../scope.ts';
import { isShort, isTooSlow, loadSentence } from './cells.ts';
import { conformanceSentence } from './conformance.ts';
import { hasShown, notShown } from './reasons.ts';
import { capacityStatement } from './search.ts';
import { joined, say, words } from './statement.ts';

type EndParts = Pick<Report, 'conformance' | 'load' | 'capacity' | 'cleanup' | 'end'> & { readonly code: number };

export const HEADED: Readonly<Record<Ending, readonly [word: string, tone: Tone]>> = {
  met: ['Passed', 'good'],
  'nothing-new': ['Nothing new', 'open'],
  mended: ['Better', 'good'],
  'too-slow': ['Too slow', 'bad'],
  refused: ['Refused', 'open'],
  failed: ['Failed', 'bad'],
  'new-failures': ['Failed', 'bad'],
  invalid: ['Unclear', 'open'],
  'not-confirmed': ['Not answered', 'open'],
  unclear: ['Unclear', 'open'],
  'out-of-time': ['Out of time', 'open'],
  interrupted: ['Interrupted', 'open'],
  left: ['Left behind', 'bad'],
  'not-tested': ['Not tested', 'open'],
  crashed: ['No answer', 'open'],
};

function failedEnding({ conformance, load }: EndParts): Ending {
  if (conformance?.verdict === 'non-conformant')
    return (conformance?.baseline?.unexpected.length ?? 0) > 0 ? 'new-failures' : 'failed';
  if (load?.verdict === 'violated') return load.cells.some(isTooSlow) ? 'too-slow' : 'failed';
  return 'too-slow';
}

function openEnding({ conformance, load, capacity }: EndParts): Ending {
  if (isOutOfTime(conformance)) return 'out-of-time';
  if (capacity?.verdict === 'invalid') return 'not-confirmed';
  return load?.verdict === 'invalid' ? 'invalid' : 'unclear';
}

function endingOf(parts: EndParts): Ending {
  const { code, conformance } = parts;
  switch (code) {
    case EXIT.ok:
      if (conformance?.baseline?.entries.some(({ outcome }) => outcome === 'stale') === true) return 'mended';
      return conformance?.verdict === 'non-conformant' ? 'nothing-new' : 'met';
    case EXIT.failed:
      return failedEnding(parts);
    case EXIT.refused:
      return 'refused';
    case EXIT.inconclusive:
      return parts.end === null ? 'crashed' : openEnding(parts);
    case EXIT.residue:
      return 'left';
    case EXIT.fault:
      return 'crashed';
    case EXIT.interrupted:
    case EXIT.terminated:
      return 'interrupted';
    default:
      return parts.end === null ? 'crashed' : 'not-tested';
  }
}

type Parts = Pick<Report, 'conformance' | 'load' | 'capacity' | 'cleanup' | 'run' | 'end' | 'catalogue'>;

function askedOf({ conformance, load, capacity, catalogue, run }: Parts): string {
  const rates = [
    ...(load?.cells ?? []).map(({ facts }) => facts.plan.targetPerSecond),
    ...(capacity?.answers ?? []).map(({ targetPerSecond }) => targetPerSecond),
  ];
  const { ratePerSecond: given } = runOptions(run);
  const published = given === undefined ? (catalogue.anc?.profiles.map(({ perSecond }) => perSecond) ?? []) : [given];
  const named = [...new Set(rates.length > 0 ? rates : published)].sort((a, b) => a - b).join(' and ');
  const questions = present(
    conformance !== null && 'Does the deployment do what the specification says?',
    load !== null && `Do ANC operations hold ${named === '' ? 'the published rate' : `${named}/s`}?`,
    capacity !== undefined && 'How much ANC load does the deployment hold?',
  );
  return questions.join(' ') || 'Nothing was asked';
}

const partSentences = ({ conformance, load, capacity }: Parts, scope: Scope): readonly Statement[] =>
  present(
    conformance && conformanceSentence(conformance),
    load !== null && (load.cells.length > 0 || load.notRun !== undefined) && loadSentence(load, scope),
    capacity !== undefined && capacity.answers.length > 0 && capacityStatement(capacity),
  );

/** Throws `RangeError` if two statements about one fact say different things of it. */
function agree(statements: readonly Statement[]): void {
  const said = new Map<string, string>();
  for (const { about, says } of statements) {
    const before = said.get(about);
    if (before !== undefined && before !== says) throw new RangeError(`${about} is said to be ${before} and ${says}`);
    said.set(about, says);
  }
}

export const byWeight = (reasons: readonly Reason[]): Reason[] =>
  [...reasons].sort((a, b) => weightOf(a.code) - weightOf(b.code));

/** A reason without the word before it and the name for programs behind it. */
const core = (reason: Reason) =>
  statementText(reason)
    .replace(/^(failed|new|new in the suite): /, '')
    .replace(/ \[[^\]]*\]$/, '');

/** The one answer of a run, without the reasons that the sentence has said in full. Throws `RangeError` if it contradicts itself. */
export function makeAnswer(parts: Answer): Answer {
  agree([parts.sentence, ...parts.reasons, ...parts.notShown]);
  const said = statementText(parts.sentence);
  return { ...parts, reasons: byWeight(parts.reasons).filter((reason) => !said.includes(core(reason))) };
}

/** The one answer of a run from what was judged of its parts, and every reason for its end. */
export function answerOf(parts: Parts, code: number, reasons: readonly Reason[], scope: Scope): Answer {
  const ending = endingOf({ ...parts, code });
  const [word, tone] = HEADED[ending];
  const { cleanup } = parts;
  const stays = leftWords(cleanup);
  const left = stays === '' ? [] : [say('left', 'left', stays)];
  const own = partSentences(parts, scope);
  const first = reasons.find((reason) => reason.code === code);
  const silent = ending === 'not-tested' || ending === 'crashed' || own.length + left.length === 0;
  // The fault that ended a run early, the first of its reasons, explains what was not shown, and what is left; it takes nothing from what failed before.
  const isBroken = (parts.end?.faults.length ?? 0) > 0 && ending !== 'failed' && ending !== 'new-failures';
  const broke = isBroken ? reasons[0] : undefined;
  // What all expects is no reason for a run to be unclear: what is one comes first.
  const why = ending === 'unclear' && parts.conformance?.verdict === 'non-conformant' ? present(first) : [];
  const said = silent && first !== undefined ? [first] : broke === undefined ? [...why, ...own] : [broke];
  return makeAnswer({
    ending,
    tone: tone === 'good' && (cleanup.residue.length > 0 || code !== 0) ? 'open' : tone,
    asked: askedOf(parts),
    sentence: say(
      'run',
      ending,
      words`${word}: ${joined(ending === 'left' ? [...left, ...said] : [...said, ...left])}`,
    ),
    reasons: [...reasons],
    notShown: hasShown(parts) ? [...notShown(parts)] : [],
    next: nextSteps(parts),
  });
}

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

/** What to do next: the first that applies, from removing what was left to a look at the whole report. */
function nextSteps({ conformance, load, capacity, cleanup, run, end }: Parts): Answer['next'] {
  const { baseUrl, embedded } = run.target;
  const whole = [{ text: 'see the whole report', args: ['report', 'open', RUN] }];
  if (embedded) return whole;
  if (cleanup.residue.length > 0) return [{ text: 'remove what was left', args: sweepArgs(run) }];
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
  const trial = ['doctor', '--base-url', baseUrl, ...pool, ...again(run, ...REACHED)];
  if (failed === undefined && (end?.faults ?? []).length > 0)
    return [{ text: 'once it is mended, look if a run has all that it needs', args: trial }];
  const where = ['--mode', run.mode, '--base-url', baseUrl, ...pool, ...again(run, ...REACHED, 'familyFiles')];
  if (failed === undefined && (isMended || isAdded) && file !== undefined) {
    // Without what it was asked for, a run sees more, or less.
    const asked = again(run, 'families', 'checks', ...(runOptions(run).depth === 'normal' ? [] : (['depth'] as const)));
    const args = ['conformance', ...where, ...asked, '--update-baseline', file];
    return [{ text: isAdded ? 'accept what is new in the suite' : 'take what was mended out of the baseline', args }];
  }
  if (first !== undefined) {
    const variant = first.variant === undefined ? [] : ['--variant', first.variant];
    const args = ['report', 'replay', RUN, first.checkId, '--family', first.family, ...variant, ...where];
    return [{ text: `try the first ${failed === undefined ? 'unclear result' : 'failure'} again`, args }];
  }
  if (load?.notRun !== undefined)
    return [{ text: 'with other endpoints or another policy, try each operation once', args: trial }];
  const measure = (command: string, { profile, operation }: Pick<CellReport, 'profile' | 'operation'>) => {
    const what = [command, '--base-url', baseUrl, '--profile', profile, '--operation', operation];
    return [...what, ...again(run, 'endpoints', 'policies', ...REACHED)];
  };
  const short = load?.cells.find(isShort);
  if (short !== undefined) return [{ text: 'find the highest rate that holds', args: measure('capacity', short) }];
  const unsure = [...(load?.cells ?? []), ...(capacity?.answers ?? [])].find(({ verdict }) => verdict === 'invalid');
  if (isCut || unsure === undefined) return whole;
  const args =
    load === null ? measure('capacity', unsure) : [...measure('load', unsure), ...again(run, 'ratePerSecond')];
  return [{ text: 'measure again on a machine that is calm', args }];
}
