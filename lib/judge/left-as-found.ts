import type { Report } from '../records/report.ts';

type Cleanup = Report['cleanup'];

/** What the comparison of foreign records before and after the run showed. */
export function fingerprintWords(fingerprint: Cleanup['fingerprint']): string {
  if (fingerprint === undefined) return 'not compared in this run';
  if (fingerprint.equal) return 'unchanged, by fingerprint';
  return fingerprint.before === fingerprint.after
    ? 'not known: a list could not be read to its end'
    : 'changed while the run was on (others may have written)';
}

/** Whether the target was left as it was found: `proven` only where everything was removed and nothing else changed. */
export function leftAsFound({ source, residue, leftAlone = [], fingerprint }: Cleanup): {
  readonly proven: boolean;
  readonly words: string;
} {
  const open = (words: string) => ({ proven: false, words });
  if (residue.length > 0) return open('NO');
  if (source !== 'end') return open('not known: the run was cut');
  if (leftAlone.length > 0) return open('not proven: answers named records that are not ours');
  if (fingerprint?.equal === false) return open(`not proven: foreign records ${fingerprintWords(fingerprint)}`);
  return { proven: true, words: 'YES' };
}
