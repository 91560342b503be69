/** What a reader is told of a verdict: passed, failed, not tested, or unclear with a reason. Records keep their own words. */
const WORDS: Readonly<Record<string, string>> = {
  ...{ pass: 'passed', met: 'passed', conformant: 'passed', proven: 'passed' },
  ...{ fail: 'failed', violated: 'failed', 'non-conformant': 'failed', disproven: 'failed' },
  ...{ blocked: 'unclear', inconclusive: 'unclear', error: 'unclear', invalid: 'unclear' },
  ...{ 'not-testable': 'not tested', 'not-applicable': 'not tested', 'not-tested': 'not tested' },
  ...{ warn: 'warning', info: 'note' },
};

export const verdictWord = (verdict: string): string => WORDS[verdict] ?? verdict;

/** What a cell came to. A step of a search that does not hold has failed in nothing: it is how the limit is found. */
export function cellWord(verdict: string, step: { readonly purpose: string } | undefined): string {
  if (step === undefined || verdict === 'invalid') return verdictWord(verdict);
  if (step.purpose === 'recovery') return 'overloaded on purpose';
  return verdict === 'met' ? 'held' : 'did not hold';
}
