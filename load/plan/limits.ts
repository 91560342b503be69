import { ANC_OPERATIONS, type AncOperationName } from '../../lib/contract/anc.ts';
import { UsageError } from '../../lib/errors.ts';
import { counted } from '../../lib/text.ts';
import type { NamedPolicyPool } from './cell-spec.ts';
import type { LoadSpec } from './spec.ts';

const DISRUPTIVE = /shut|bounce/i;

/** Throws a `UsageError`, as do all checks here. */
export function checkPolicy(policy: string, { allowDisruptivePolicy }: Pick<LoadSpec, 'allowDisruptivePolicy'>): void {
  if (policy.trim() === '')
    throw new UsageError('no-policy', 'the policy has no name', { hint: 'name it with --policy' });
  if (DISRUPTIVE.test(policy) && !allowDisruptivePolicy) {
    const message = `policy "${policy}" sounds as if it shuts or bounces ports: under load it would take endpoints off the network`;
    throw new UsageError('disruptive-policy', message, {
      hint: 'name a policy made for tests, or allow this one with --allow-disruptive-policy',
    });
  }
}

export function checkAddresses(operations: readonly AncOperationName[], pool: NamedPolicyPool['pool']): void {
  const needsIp = operations.find((name) => ANC_OPERATIONS[name].items.includes('ipAddress'));
  if (needsIp !== undefined && !pool.hasIps) {
    throw new UsageError('pool-without-ip', `${needsIp} needs the IP address of every endpoint`, {
      hint: 'write the range as MAC+COUNT@IP, or choose the other operations with --operation',
    });
  }
}

/** Beyond this a share is too small to be worth a process. */
const MAX_SEGMENTS = 64;

/** k6 shares the arrivals as it shares its virtual users: what does not divide would be shared unevenly. Throws `UsageError`. */
export function checkSegments(connections: number, segments: number): void {
  const whole = Number.isInteger(segments) && segments >= 1 && segments <= MAX_SEGMENTS;
  if (whole && connections % segments === 0) return;
  throw new UsageError(
    'bad-segments',
    `${counted(connections, 'connection')} cannot be split evenly between ${counted(segments, 'segment')}`,
    { hint: `give up to ${MAX_SEGMENTS} --segments, and a number of --connections that theirs divides` },
  );
}
