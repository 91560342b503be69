import type { CellVerdict, Conformance, Verdict } from '../../../lib/records/vocabulary.ts';
import { verdictWord } from '../../../lib/text.ts';

export type AnyVerdict = Verdict | CellVerdict | Conformance | 'not-tested';

interface Shape {
  readonly letter: string;
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

/** Each verdict has the letter of the word for it, and a shape, so that color is never alone. */
const SHAPES: Readonly<Record<AnyVerdict, Shape>> = {
  pass: { letter: 'P', path: CIRCLE },
  fail: { letter: 'F', path: SQUARE },
  warn: { letter: 'W', path: TRIANGLE },
  info: { letter: 'I', path: CIRCLE, hollow: true },
  'not-testable': { letter: 'T', path: SQUARE, hollow: true },
  'not-applicable': { letter: '–', path: SQUARE, hollow: true },
  blocked: { letter: 'B', path: BAR },
  inconclusive: { letter: '?', path: DIAMOND },
  error: { letter: 'E', path: OCTAGON },
  met: { letter: 'P', path: CIRCLE },
  violated: { letter: 'F', path: SQUARE },
  invalid: { letter: '?', path: DIAMOND },
  conformant: { letter: 'P', path: CIRCLE },
  'non-conformant': { letter: 'F', path: SQUARE },
  'not-tested': { letter: '·', path: DIAMOND, hollow: true },
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

export const Mark = ({ verdict, word = verdictWord(verdict) }: { verdict: AnyVerdict; word?: string }) => (
  <span class={`v v-${verdict}`}>
    <svg class="k" aria-hidden="true">
      <use href={`#m-${verdict}`} />
    </svg>
    <span>{word}</span>
  </span>
);
