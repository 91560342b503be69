import { type DefectScore, isKilled } from './defect-score.ts';

/** Share of the defects that have to be killed in every seed: 58 of 60. */
const KILL_SHARE = 58 / 60;
/** Share of the killed ones that have to be killed for a requirement that they violate. */
const RIGHT_SHARE = 0.95;

/** Areas of the specification whose defects must all be killed: records and lists. */
const ALWAYS = [/^OP-/, /^PAY-/, /^SVC-1$/, /^RES-ID$/, /^LST-/, /^FOP-/];

export type ScoreScope = 'full' | 'quick' | 'chosen';

interface GateInput {
  readonly totals: Readonly<
    Record<
      'defects' | 'killed' | 'right' | 'allowed' | 'falseAlarms' | 'nullTargets' | 'vacuous' | 'wrongExits',
      number
    >
  >;
  readonly defects: readonly DefectScore[];
}

export const row = (text: string, wanted: string, got: string | number, met: boolean) => ({
  text,
  wanted,
  got: String(got),
  met,
});

export type GateRow = ReturnType<typeof row>;

export const none = (text: string, got: number): GateRow => row(text, 'none', got, got === 0);
export const atMost = (text: string, most: number, got: number): GateRow =>
  row(text, `at most ${most}`, got, got <= most);
const atLeast = (text: string, least: number, of: number, got: number): GateRow =>
  row(text, `at least ${least} of ${of}`, got, of > 0 && got >= least);

function isCore({ violates }: DefectScore): boolean {
  return violates.some((id) => ALWAYS.some((pattern) => pattern.test(id)));
}

function defectRows({ totals, defects }: GateInput): GateRow[] {
  if (defects.length === 0) return [];
  const least = Math.floor(KILL_SHARE * totals.defects);
  const right = Math.ceil(RIGHT_SHARE * totals.killed);
  const core = defects.filter(isCore);
  const missed = core.filter((defect) => !isKilled(defect)).map(({ id }) => id);
  return [
    atLeast('defects killed in every seed', least, totals.defects, totals.killed),
    row(
      'of those of records and lists',
      `all ${core.length}`,
      missed.length === 0 ? 'all' : `not ${missed.join(', ')}`,
      missed.length === 0,
    ),
    atLeast('killed for a requirement that they violate', right, totals.killed, totals.right),
  ];
}

/** Every condition of the gate with what came out; what was not run is not a condition. */
export function gateOf(input: GateInput): GateRow[] {
  const { totals } = input;
  return [
    ...defectRows(input),
    row(
      'deployments that conform and are accused',
      `none of ${totals.allowed}`,
      totals.falseAlarms,
      totals.allowed > 0 && totals.falseAlarms === 0,
    ),
    ...(totals.nullTargets === 0
      ? []
      : [
          none('passes on targets that are not the service', totals.vacuous),
          none('targets that are not the service, with another exit code', totals.wrongExits),
        ]),
  ];
}
