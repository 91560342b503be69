import type { CellVerdict, Conformance, Verdict } from '../../../lib/records/vocabulary.ts';
import { verdictWord } from '../../../lib/verdict-words.ts';

export type AnyVerdict = Verdict | CellVerdict | Conformance | 'not-tested';

interface Shape {
  readonly letter: string;
  readonly words: string;
  /** Path in a box of 20 × 20. */
  readonly path: string;
  /** An outline alone. */
  readonly hollow?: true;
}

const CIRCLE = 'M10 1a9 9 0 1 0 0 18a9 9 0 1 0 0-18z';
const SQUARE = 'M2 2h16v16h-16z';
const TRIANGLE = 'M10 1l9.5 17.500h-19z';
const DIAMOND = 'M10 .5l9.500 9.500l-9.500 9.500l-9.500-9.500z';
const BAR = 'M.5 3.500h19v13h-19z';
const OCTAGON = 'M6 1h8l5 5v8l-5 5h-8l-5-5v-8z';

const NOT_TESTABLE = 'not tested: this target cannot show it; with what it needs';

/** Each verdict has a letter and a shape, so that color is never alone. */
const SHAPES: Readonly<Record<AnyVerdict, Shape>> = {
  pass: { letter: 'P', words: 'passed: really tested, and held', path: CIRCLE },
  fail: { letter: 'F', words: 'failed: something that must hold does not', path: SQUARE },
  warn: { letter: 'W', words: 'warning: something that should hold does not', path: TRIANGLE },
  info: { letter: 'I', words: 'note: recorded where the specification is silent', path: CIRCLE, hollow: true },
  'not-testable': { letter: 'T', words: NOT_TESTABLE, path: SQUARE, hollow: true },
  'not-applicable': { letter: '–', words: 'not tested: not applicable, with its reason', path: SQUARE, hollow: true },
  blocked: { letter: 'B', words: 'unclear (blocked): something it rests on did not hold', path: BAR },
  inconclusive: { letter: '?', words: 'unclear: ran, and could not decide', path: DIAMOND },
  error: { letter: 'E', words: 'unclear (error): the check itself could not run', path: OCTAGON },
  met: { letter: 'M', words: 'passed: the rate held', path: CIRCLE },
  violated: { letter: 'V', words: 'failed: the target did not hold it', path: SQUARE },
  invalid: { letter: '?', words: 'unclear: the load generator or the run was at fault', path: DIAMOND },
  conformant: { letter: 'C', words: 'passed: all that was tested', path: CIRCLE },
  'non-conformant': { letter: 'N', words: 'failed: at least one requirement', path: SQUARE },
  'not-tested': { letter: '·', words: 'not tested', path: DIAMOND, hollow: true },
};

/** The shapes once; every mark refers to them. */
export function Sprite() {
  return (
    <svg width="0" height="0" style="position:absolute" aria-hidden="true">
      {Object.entries(SHAPES).map(([name, { letter, path, hollow }]) => (
        <symbol id={`m-${name}`} viewBox="0 0 20 20">
          <path
            d={path}
            fill={hollow ? 'none' : 'currentColor'}
            stroke="currentColor"
            stroke-width={hollow ? '1.6' : '0'}
            stroke-dasharray={name === 'not-applicable' ? '3 2' : 'none'}
          />
          <text
            x="10"
            y={path === TRIANGLE ? '16.800' : '13.800'}
            style={path === TRIANGLE ? 'font-size:8px' : ''}
            text-anchor="middle"
            fill={hollow ? 'currentColor' : 'var(--card)'}
          >
            {letter}
          </text>
        </symbol>
      ))}
    </svg>
  );
}

export function Mark({
  verdict,
  word = verdictWord(verdict),
  bare = false,
}: {
  verdict: AnyVerdict;
  word?: string;
  bare?: boolean;
}) {
  return (
    <span class={`v v-${verdict}`}>
      <svg class="k" aria-hidden="true">
        <use href={`#m-${verdict}`} />
      </svg>
      <span class={bare ? 'sr' : ''}>{word}</span>
    </span>
  );
}

export function Legend({ verdicts }: { verdicts: readonly AnyVerdict[] }) {
  return (
    <ul class="legend" aria-label="Legend">
      {verdicts.map((verdict) => (
        <li>
          <Mark verdict={verdict} bare /> {SHAPES[verdict].words}
        </li>
      ))}
    </ul>
  );
}
