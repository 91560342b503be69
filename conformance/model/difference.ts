import type { About } from '../kit/fault.ts';

/** What a deployment showed and no deployment may show: data, from which causes, baselines and findings are made. */
export interface Difference {
  readonly requirement: string;
  readonly about: About;
  readonly family: string;
  readonly expected: string;
  readonly observed: string;
  /** Key of the record that is shown, or is not; absent if it is about no record alone. */
  readonly record?: string;
  /** Key of the record that shows another value, or stands in the wrong place. */
  readonly holder?: string;
  /** Keys of two records that are the wrong way round. */
  readonly pair?: readonly string[];
  /** What has to have been done to it, as far as what is shown tells: a clause behind `only if`. */
  readonly onlyIf?: string;
  /** What it is if the write that it is laid to is not what did it. */
  readonly unlessWritten?: Difference;
  /** True for a record that a list lacks, and that no write while it was read is a reason for. */
  readonly isLost?: true;
  /** True if no write explains it, however late it shows, and nobody who writes. */
  readonly isTimeless?: true;
}

/** What a difference may be laid to, whatever was asked: patterns of requirements. */
export const FINDABLE: readonly string[] = [
  ...['OP-*', 'LST-*', 'LIST-*', 'FOP-*', 'VIEW-PORTAL', 'SVC-*', 'RES-*', 'PAY-*'],
  ...['NEG-404', 'CNV-*', 'SPC-*', 'LIM-SGT', 'ATOM-1'],
];

/** Name under which a difference is known once it was found: the same in every run. */
export function differenceKey({ requirement, family, about }: Omit<Difference, 'expected' | 'observed'>): string {
  return [requirement, family, about.operation, about.kind, about.subject].join('|');
}
