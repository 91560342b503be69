import { UsageError } from '../../lib/errors.ts';
import { counted } from '../../lib/numbers.ts';

/** Beyond this a share is too small to be worth a process. */
const MAX_SEGMENTS = 64;

/** k6 shares the arrivals as it shares its virtual users: what does not divide would be shared unevenly. Throws `UsageError`. */
export function checkSegments(connections: number, segments: number): void {
  const whole = Number.isInteger(segments) && segments >= 1 && segments <= MAX_SEGMENTS;
  if (whole && connections % segments === 0) return;
  throw new UsageError(
    'bad-segments',
    `${counted(connections, 'connection')} cannot be split evenly between ${counted(segments, 'segment')}`,
    {
      hint: `give up to ${MAX_SEGMENTS} --segments, and a number of --connections that theirs divides`,
    },
  );
}
