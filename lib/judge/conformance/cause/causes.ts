import { groupBy } from '../../../group-by.ts';
import type { Cause } from '../../../records/cause.ts';
import { type ConformanceResult, resultKey } from '../../../records/conformance.ts';
import type { ResultReport } from '../../../records/report.ts';
import type { DifferenceKind } from '../../../records/vocabulary.ts';
import { some } from '../../../text.ts';
import { type Failure, failureText, subjectGroup, UNKNOWN_SUBJECT } from './failure.ts';

/** A failed result with what it is about. */
export interface Failed {
  readonly result: ConformanceResult | ResultReport;
  readonly failure: Failure;
}

/** Groups of things of which each shares a mark with another of its group, in the order of their first member. */
function connected<T>(items: readonly T[], marks: (item: T) => readonly string[]): readonly (readonly T[])[] {
  const parent = new Map<string, string>();
  const root = (mark: string): string => {
    const above = parent.get(mark) ?? mark;
    return above === mark ? mark : root(above);
  };
  const marked = items.map((item) => ({ item, own: marks(item) }));
  for (const { own } of marked) {
    const [first, ...others] = own;
    for (const other of others) parent.set(root(other), root(first ?? other));
  }
  return [...groupBy(marked, ({ own }) => root(own[0] ?? '')).values()].map((group) => group.map(({ item }) => item));
}

/**
 * Two failures with a mark in common have one cause: the same requirement in any family, or the same family in any
 * requirement, always with the same operation, kind of difference and subject. Fields and operators of filters and sorts
 * are one subject for a requirement.
 */
function marksOf({ result: { family }, failure }: Failed): readonly string[] {
  const { requirement, operation, kind, subject } = failure;
  return [
    [requirement, operation, kind, subjectGroup(subject)].join('|'),
    ...(subject === UNKNOWN_SUBJECT ? [] : [['in', family, operation, kind, subject].join('|')]),
  ];
}

const sorted = (values: Iterable<string>) => [...new Set(values)].sort((a, b) => a.localeCompare(b, 'en'));

const KIND_WORDS: Readonly<Record<DifferenceKind, string>> = {
  refused: 'refused',
  accepted: 'accepted against the rules',
  'no-effect': 'success without effect',
  records: 'wrong records',
  missing: 'missing',
  value: 'wrong value',
};

/** Values by how often they are there, most frequent first. */
const byFrequency = (values: readonly string[]): readonly string[] =>
  [...groupBy(values, (value) => value)]
    .sort(([a, some], [b, others]) => others.length - some.length || a.localeCompare(b, 'en'))
    .map(([value]) => value);

function causeOf(failed: readonly Failed[]): Omit<Cause, 'expected'> {
  const results = failed.map(({ result }) => result);
  const failures = failed.map(({ failure }) => failure);
  const { operation = '', kind = 'value' } = failures[0] ?? {};
  const requirements = byFrequency(failures.map(({ requirement }) => requirement));
  const subjects = byFrequency(failures.map(({ subject }) => subject));
  const groups = [...new Set(subjects.map(subjectGroup))];
  const [title = ''] = byFrequency(results.map((result) => result.title));
  const name = { requirement: requirements[0] ?? '', operation, kind, subject: groups.join(' and ') };
  return {
    id: failureText(name),
    title: `${title}: ${KIND_WORDS[kind]} in ${operation} (${some(subjects, 3)})`,
    signatures: [...byFrequency(failures.map(failureText))],
    ...{ requirements: [...requirements], operation, kind, subjects: [...subjects] },
    families: sorted(results.map(({ family }) => family)),
    checks: sorted(results.map(({ checkId }) => checkId)),
    results: results.map(resultKey),
  };
}

/** Groups failures by probable cause. The largest cause comes first. */
export function causesOf(failed: readonly Failed[]): readonly Omit<Cause, 'expected'>[] {
  return connected(failed, marksOf)
    .map(causeOf)
    .sort((a, b) => b.results.length - a.results.length || a.id.localeCompare(b.id, 'en'));
}
