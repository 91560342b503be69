import { present } from '../present.ts';
import type { Report } from '../records/report.ts';
import { leftOf, NOT_KNOWN } from '../records/run.ts';
import { counted, some } from '../text.ts';

type Cleanup = Report['cleanup'];
type Residue = Cleanup['residue'];

/** What is left by what is known of it, in the words that a count of it stands behind; kinds of which there is none are left out. */
export function residueKinds(residue: Residue) {
  const kinds = [
    [undefined, 'left on the target', 'record'],
    ['removed', 'removed but not proven gone', 'record'],
    ['unknown', 'of unknown outcome', 'write'],
    ['doubtful', 'possibly of the run', 'record'],
  ] as const;
  return kinds.flatMap(([kind, label, noun]) => {
    const records = residue.filter(({ standing }) => standing === kind);
    const number = leftOf(records);
    return records.length === 0 ? [] : [{ label, records, number, words: counted(number, noun) }];
  });
}

/** How many are left, not proven gone and of unknown outcome, in one line: `3 records left on the target, …`. */
export const residueWords = (residue: Residue): string =>
  residueKinds(residue)
    .map(({ label, words }) => `${words} ${label}`)
    .join(', ');

/** What is left, and what was not touched: `2 records left on the target, 18 records left alone that may be of the run`. */
export const leftWords = ({ residue, leftAlone = [] }: Pick<Cleanup, 'residue' | 'leftAlone'>): string =>
  present(
    residue.length > 0 && residueWords(residue),
    leftAlone.length > 0 && `${counted(leftOf(leftAlone), 'record')} left alone that may be of the run`,
  ).join(', ');

/** Count and digest by family, of one line of a fingerprint. */
const familiesOf = (line: string) =>
  new Map(line.split(' ').map((part) => part.split('=') as [family: string, print: string]));

/** What the comparison of foreign records before and after the run showed; a family in which the run left something differs for that. */
export function fingerprintWords({ fingerprint, residue }: Pick<Cleanup, 'fingerprint' | 'residue'>): string {
  if (fingerprint === undefined) return 'not compared in this run';
  if (fingerprint.equal) return 'unchanged, by fingerprint';
  const [before, after] = [familiesOf(fingerprint.before), familiesOf(fingerprint.after)];
  const unread = [...after.keys()].filter((name) => [before, after].some((each) => each.get(name) === NOT_KNOWN));
  const changed = [...after.keys()].filter((name) => !unread.includes(name) && after.get(name) !== before.get(name));
  const isLeft = (name: string) => residue.some(({ family }) => family === name);
  const others = changed.filter((name) => !isLeft(name));
  if (others.length > 0) return `changed while the run was on in ${some(others)} (others may have written)`;
  if (changed.length > 0) return `not known in ${some(changed)}, where the run left something`;
  return `not known: the lists could not be read (${some(unread)})`;
}

/** Whether the target was left as it was found: `proven` only where everything was removed and nothing else changed. */
export function leftAsFound(cleanup: Cleanup): { readonly proven: boolean; readonly words: string } {
  const { source, residue, leftAlone = [], takenOver = 0, unsettled = 0, fingerprint } = cleanup;
  const open = (words: string) => ({ proven: false, words });
  if (residue.length > 0)
    return open(
      residue.some(({ standing }) => standing === undefined) ? 'NO' : 'not proven: not all could be looked for',
    );
  if (source !== 'end') return open('not known: the run was cut');
  if (takenOver > 0) return open(`NO: --take-over cleared the policies of ${counted(takenOver, 'endpoint')}`);
  if (leftAlone.length > 0) return open('not proven: records that may be of the run were left alone');
  if (unsettled > 0)
    return open(
      `not proven: ${counted(unsettled, 'create')} got no clear answer; nothing was found, and it may still come`,
    );
  if (fingerprint?.equal === false) return open(`not proven: foreign records ${fingerprintWords(cleanup)}`);
  // A load compares no records of others.
  const beyond =
    fingerprint === undefined && cleanup.created > 0 ? ', in what it wrote to; nothing else was compared' : '';
  return { proven: true, words: `YES${beyond}` };
}
