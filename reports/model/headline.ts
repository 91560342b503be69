import { counted } from '../../lib/numbers.ts';
import type { Report } from '../../lib/records/report.ts';
import { some } from '../../lib/text.ts';
import type { Tone } from './questions.ts';

const HEADLINES: Readonly<Record<Report['verdict'], readonly [string, Tone]>> = {
  proven: ['Proven', 'good'],
  disproven: ['Failed', 'bad'],
  inconclusive: ['Inconclusive', 'open'],
  'not-tested': ['Could not test', 'open'],
  interrupted: ['Interrupted', 'open'],
  fault: ['No verdict after a fault of the harness', 'open'],
  residue: ['Something was left on the target', 'bad'],
};

const CONFORMANCE_WORDS = {
  conformant: 'conformant',
  'non-conformant': 'not conformant',
  inconclusive: 'conformance not proven',
  'not-tested': 'conformance not tested',
} as const;

const LOAD_WORDS = {
  met: 'rate held',
  violated: 'rate not held',
  invalid: 'load not measured validly',
  'not-tested': 'load not tested',
} as const;

const CAPACITY_WORDS = {
  met: 'capacity at or above the published rate',
  violated: 'capacity below the published rate',
  invalid: 'capacity not found',
  'not-tested': 'capacity not tested',
} as const;

/** What was found of the load; cells that were not run are no part of it. */
function loadWords({ verdict, cells, notRun = [] }: NonNullable<Report['load']>): string {
  if (notRun.length === 0) return LOAD_WORDS[verdict];
  const names = notRun.map(({ profile, operation }) => `${profile} ${operation}`);
  const of = cells.length === 0 ? '' : ` in ${cells.length} of ${cells.length + notRun.length} cells`;
  return `${LOAD_WORDS[verdict]}${verdict === 'met' ? of : ''}, ${some(names)} not run`;
}

/** The sentence that a page, the terminal and a summary begin or end with: the verdict, then what it is about. */
export function headline(report: Report): { readonly text: string; readonly tone: Tone } {
  // With a baseline exit 0 says that nothing failed that was not expected to: nothing good was proven of what failed.
  const asExpected = report.verdict === 'proven' && report.conformance?.verdict === 'non-conformant';
  const stale = report.conformance?.baseline?.entries.some(({ outcome }) => outcome === 'stale') === true;
  const onlyStale = stale && report.conformance?.verdict === 'conformant' && report.load?.verdict !== 'violated';
  if (report.verdict === 'disproven' && onlyStale) {
    return { text: 'Conformant, but the baseline is out of date', tone: 'open' };
  }
  const [word, tone] = asExpected ? (['Nothing new', 'open'] as const) : HEADLINES[report.verdict];
  const parts = [
    ...(report.conformance === null ? [] : [CONFORMANCE_WORDS[report.conformance.verdict]]),
    ...(report.load === null ? [] : [loadWords(report.load)]),
    ...(report.capacity === undefined ? [] : [CAPACITY_WORDS[report.capacity.verdict]]),
  ];
  const { residue } = report.cleanup;
  const left = `${counted(residue.length, 'record')} left on the target`;
  if (report.verdict === 'residue' && parts.length > 0) {
    const all = [...parts, residue.length === 0 ? 'and something was left on the target' : left].join(', ');
    return { text: `${all.charAt(0).toUpperCase()}${all.slice(1)}`, tone };
  }
  const said = parts.length === 0 ? word : `${word}: ${parts.join(', ')}`;
  // Accepted or not: what is left on the target is never passed over in silence.
  return residue.length === 0 || report.verdict === 'residue'
    ? { text: said, tone }
    : { text: `${said}, ${left}`, tone: tone === 'good' ? 'open' : tone };
}
