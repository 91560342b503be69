import type { ConformanceResult } from '../../../records/conformance.ts';
import type { ResultReport } from '../../../records/report.ts';
import type { DifferenceKind } from '../../../records/vocabulary.ts';

/** A failure as causes and baselines see it: what is broken, in which operation, how, and about what. */
export interface Failure {
  readonly requirement: string;
  readonly operation: string;
  readonly kind: DifferenceKind;
  /** What it is about: `header accept`, `member description`, `filter name.EQ`. */
  readonly subject: string;
}

export const UNKNOWN_SUBJECT = 'not recorded';

/** A requirement with the family's name left out: `OP-sgt-C` is `OP-*-C`, so that one defect of twelve families is one cause. */
export const requirementPattern = ({
  requirement,
  family,
}: Pick<ConformanceResult, 'requirement' | 'family'>): string => requirement.replace(`-${family}-`, '-*-');

export const failureOf = ({ requirement, family, failure }: ResultReport): Failure => ({
  requirement: requirementPattern({ requirement, family }),
  operation: failure?.operation ?? 'unknown',
  kind: failure?.kind ?? 'value',
  subject: failure?.subject ?? UNKNOWN_SUBJECT,
});

/** A failure in one line, the same in every run: `CNV-HDR create refused: header accept`. */
export const failureText = ({ requirement, operation, kind, subject }: Failure): string =>
  `${requirement} ${operation} ${kind}: ${subject}`;

/** Subjects that differ in the field of a list or the end of a range alone are one group: one mistake shows in all of them. */
export const subjectGroup = (subject: string): string =>
  /^(?:filter|sort)(?= )|^number [^.]+(?=\.)/.exec(subject)?.[0] ?? subject;
