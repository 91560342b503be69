/** Exit codes of every command, with the words that `--help` and the README show. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  untested: 3,
  inconclusive: 4,
  residue: 5,
  incomparable: 6,
  refused: 7,
  fault: 70,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANINGS: Readonly<Record<ExitCode, string>> = {
  0: 'passed: everything asked for was shown, or with a baseline nothing new failed',
  1: 'failed: something that must hold does not, the target was too slow for a rate, or an expected failure has expired',
  2: 'usage, configuration or safety refusal: nothing was changed',
  3: 'could not test: unreachable, refused login, nothing usable was recorded',
  4: 'unclear: a load was not measured validly, or fewer than 95 % of what can be tested was really tested',
  5: 'something of ours is, or may be, left on the target; the report lists it with the commands that remove it',
  6: '`report compare`: the two runs cannot be compared; the reasons are listed',
  7: 'refused: the target refuses an operation at any rate, so its speed was not judged; the others passed',
  70: 'a fault of the harness itself, or of the machine that it runs on',
  130: 'interrupted (SIGINT); cleaned up first',
  143: 'terminated (SIGTERM); cleaned up first',
};

export const FAULT_EXITS = {
  harness: EXIT.fault,
  target: EXIT.untested,
  usage: EXIT.usage,
  generator: EXIT.inconclusive,
  refused: EXIT.refused,
} as const;

const ORDER: readonly ExitCode[] = [70, 5, 130, 143, 2, 1, 3, 6, 4, 7, 0];

/** Place of an exit code among all, the weightiest first. */
export const weightOf = (code: number): number => ORDER.indexOf(code as ExitCode);

/** The first of 70, 5, 130/143, 2, 1, 3, 6, 4, 7, 0 that holds; 0 of none. */
export function worstExit(codes: Iterable<ExitCode>): ExitCode {
  const held = new Set(codes);
  return ORDER.find((code) => held.has(code)) ?? EXIT.ok;
}
