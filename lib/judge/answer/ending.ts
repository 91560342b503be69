import { EXIT } from '../../exit-codes.ts';
import type { Ending, Tone } from '../../records/answer.ts';
import type { Report } from '../../records/report.ts';
import { isTooSlow } from './cells.ts';

type Parts = Pick<Report, 'conformance' | 'load' | 'capacity' | 'cleanup' | 'end'> & { readonly code: number };

/** Words that a run is headed with, and how they look. */
export const HEADED: Readonly<Record<Ending, readonly [word: string, tone: Tone]>> = {
  met: ['Passed', 'good'],
  'nothing-new': ['Nothing new', 'open'],
  mended: ['Better', 'good'],
  'too-slow': ['Too slow', 'bad'],
  refused: ['Refused', 'open'],
  failed: ['Failed', 'bad'],
  'new-failures': ['Failed', 'bad'],
  invalid: ['Unclear', 'open'],
  'not-confirmed': ['Not answered', 'open'],
  unclear: ['Unclear', 'open'],
  'out-of-time': ['Out of time', 'open'],
  interrupted: ['Interrupted', 'open'],
  left: ['Left behind', 'bad'],
  'not-tested': ['Not tested', 'open'],
  crashed: ['No answer', 'open'],
};

const LATE = 'the deadline of the run had passed';

function failed({ conformance, load }: Parts): Ending {
  const baseline = conformance?.baseline;
  if (conformance?.verdict === 'non-conformant') {
    return (baseline?.unexpected.length ?? 0) > 0 ? 'new-failures' : 'failed';
  }
  if (load?.verdict === 'violated') return load.cells.some(isTooSlow) ? 'too-slow' : 'failed';
  return 'too-slow';
}

function open({ conformance, load, capacity }: Parts): Ending {
  if (conformance?.results.some(({ reason }) => reason?.includes(LATE) === true) === true) return 'out-of-time';
  if (capacity?.verdict === 'invalid') return 'not-confirmed';
  return load?.verdict === 'invalid' ? 'invalid' : 'unclear';
}

/** In which way the run ended. */
export function endingOf(parts: Parts): Ending {
  const { code, conformance } = parts;
  switch (code) {
    case EXIT.ok:
      if (conformance?.baseline?.entries.some(({ outcome }) => outcome === 'stale') === true) return 'mended';
      return conformance?.verdict === 'non-conformant' ? 'nothing-new' : 'met';
    case EXIT.failed:
      return failed(parts);
    case EXIT.refused:
      return 'refused';
    case EXIT.inconclusive:
      return parts.end === null ? 'crashed' : open(parts);
    case EXIT.residue:
      return 'left';
    case EXIT.fault:
      return 'crashed';
    case EXIT.interrupted:
    case EXIT.terminated:
      return 'interrupted';
    default:
      return parts.end === null ? 'crashed' : 'not-tested';
  }
}
