import { ANC_OPERATIONS } from '../../lib/contract/anc.ts';
import { UsageError } from '../../lib/errors.ts';
import { isRate } from '../../lib/wire/scenario.ts';
import type { LoadOptions } from './plan.ts';

/** Caps that no option lifts: nobody means more than this against an access-control system. */
export const CAPS = {
  ratePerSecond: 5000,
  durationSeconds: 4 * 3600,
  rampSeconds: 600,
  connections: 5000,
  timeoutMs: 120_000,
} as const;
const DISRUPTIVE = /shut|bounce/i;

/** Throws a `UsageError`. */
export function refused(code: string, message: string, hint: string): never {
  throw new UsageError(code, message, { hint });
}

/** A whole number within the caps. Throws `UsageError`. */
export function checked(name: keyof typeof CAPS, value: number): number {
  if (!Number.isInteger(value) || value < 1 || value > CAPS[name]) {
    refused('bad-number', `${name} is ${value}`, `give a whole number from 1 to ${CAPS[name]}`);
  }
  return value;
}

/** A rate within the cap that k6 can offer exactly. Throws `UsageError`. */
export function checkedRate(value: number): number {
  if (!isRate(value) || value > CAPS.ratePerSecond) {
    const hint = `give a number from 1 to ${CAPS.ratePerSecond} with one digit behind the point at most, such as 62.5`;
    refused('bad-number', `the rate is ${value}/s`, hint);
  }
  return value;
}

/** Refuses a policy whose name is on the deny list. Throws `UsageError`. */
export function checkPolicy({
  policy,
  allowDisruptivePolicy,
}: Pick<LoadOptions, 'policy' | 'allowDisruptivePolicy'>): void {
  if (policy.trim() === '') refused('no-policy', 'the policy has no name', 'name it with --policy');
  if (DISRUPTIVE.test(policy) && allowDisruptivePolicy !== true) {
    const message = `policy "${policy}" sounds as if it shuts or bounces ports: under load it would take endpoints off the network`;
    refused('disruptive-policy', message, 'name a policy made for tests, or allow this one outright');
  }
}

/** Refuses a pool without the addresses that the operations need. Throws `UsageError`. */
export function checkAddresses({ operations, pool }: Pick<LoadOptions, 'operations' | 'pool'>): void {
  const needsIp = operations.find((name) => ANC_OPERATIONS[name].items.some((item) => item === 'ipAddress'));
  if (needsIp !== undefined && !pool.hasIps) {
    refused(
      'pool-without-ip',
      `${needsIp} needs the IP address of every endpoint`,
      'write the range as MAC+COUNT@IP, or choose the other operations with --operation',
    );
  }
}
