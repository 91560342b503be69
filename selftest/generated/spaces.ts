import type { SpaceName } from '../../lib/records/generated-score.ts';
import {
  type Generated,
  generate,
  generatedLines,
  sampleLines,
  triggerKind,
} from '../../reference/defects/generated/generated.ts';
import { type Line, lineId } from '../../reference/defects/generated/line.ts';
import { dimensionOf, heldOutLines, makeHeldOut } from '../../reference/defects/held-out/space.ts';

/** A space of generated defects that samples are drawn from. */
interface Space {
  readonly lines: () => readonly Line[];
  readonly make: (line: Line) => Generated;
  readonly sample: (lines: readonly Line[], count: number, seed: number) => readonly Line[];
  /** Kind by which scores are given, and its name. */
  readonly kindOf: (line: Line) => string;
  readonly kind: string;
}

/** The spaces: the dimensions that the checks were written with, and those that they were not. */
export const SPACES: Readonly<Record<SpaceName, Space>> = {
  generated: {
    lines: generatedLines,
    make: generate,
    sample: sampleLines,
    kindOf: triggerKind,
    kind: 'trigger',
  },
  'held-out': {
    lines: heldOutLines,
    make: makeHeldOut,
    sample: (lines, count, seed) => sampleLines(lines, count, seed, [dimensionOf, ({ operator }) => operator]),
    kindOf: dimensionOf,
    kind: 'dimension',
  },
};

/** Space that a line with this id is in; undefined where there is none. */
export function spaceWith(id: string): SpaceName | undefined {
  return (Object.keys(SPACES) as SpaceName[]).find((name) => SPACES[name].lines().some((line) => lineId(line) === id));
}
