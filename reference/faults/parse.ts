import { OPS } from '../../lib/contract/operations.ts';
import { durationMs } from '../../lib/duration.ts';
import { UsageError } from '../../lib/errors.ts';
import type { Deviation } from '../deviation.ts';
import { bucketFault, collapseFault, lostFault, repeatedStallFault } from './capacity-faults.ts';
import type { Scope } from './fault.ts';
import {
  errorFault,
  latencyFault,
  lateStoreFault,
  lognormalFault,
  noStoreFault,
  rateFault,
  refuseFault,
  refuseOpFault,
  resetFault,
  stallFault,
  statusFault,
} from './faults.ts';

const DURATION = String.raw`(\d+(?:\.\d+)?)(ms|s)`;
const SHARE = String.raw`(\d+(?:\.\d+)?)%`;

const RATE = String.raw`(\d+(?:\.\d+)?)/s`;
/** What `late-store` without times stands for: everything from two seconds on takes effect four seconds later. */
const [LATE_MS, LATE_FROM_MS] = [4000, 2000];

const ms = (amount = '', unit = '') => durationMs(`${amount}${unit}`) ?? Number.NaN;
const share = (percent: string | undefined) => Number(percent) / 100;

interface Spelling {
  readonly form: string;
  readonly pattern: RegExp;
  readonly make: (match: RegExpExecArray, id: string, scope: Scope) => Deviation;
}

const spelling = (form: string, pattern: string, make: Spelling['make']): Spelling => ({
  form,
  pattern: new RegExp(`^${pattern}$`),
  make,
});

/** How faults are spelled. */
const SPELLINGS: readonly Spelling[] = [
  spelling('latency=200ms', `latency=${DURATION}`, (m, id, scope) => latencyFault(id, scope, ms(m[1], m[2]))),
  spelling('latency=lognormal:50ms:0.5', `latency=lognormal:${DURATION}:(\\d+(?:\\.\\d+)?)`, (m, id, scope) =>
    lognormalFault(id, scope, ms(m[1], m[2]), Number(m[3])),
  ),
  spelling('stall=2s@10s', `stall=${DURATION}@${DURATION}`, (m, id) => stallFault(id, ms(m[1], m[2]), ms(m[3], m[4]))),
  spelling('error=5%', `error=${SHARE}`, (m, id, scope) => errorFault(id, scope, share(m[1]))),
  spelling('status=503:1%', `status=(503|429):${SHARE}`, (m, id, scope) =>
    statusFault(id, scope, Number(m[1]), share(m[2])),
  ),
  spelling('reset=1%', `reset=${SHARE}`, (m, id, scope) => resetFault(id, scope, share(m[1]))),
  spelling('refuse=DELETE:405', 'refuse=(POST|PUT|DELETE):(4\\d\\d)', (m, id, scope) =>
    refuseFault(id, scope, m[1] ?? '', Number(m[2])),
  ),
  spelling('refuse=sgt.update:400', `refuse=(?:([a-z]+)\\.)?(${Object.keys(OPS).join('|')}):([45]\\d\\d)`, (m, id) =>
    refuseOpFault(id, m[1], m[2] ?? '', Number(m[3])),
  ),
  spelling('no-store', 'no-store', (_m, id) => noStoreFault(id, 1)),
  spelling('no-store=10%', `no-store=${SHARE}`, (m, id) => noStoreFault(id, share(m[1]))),
  spelling('late-store=4s@2s', `late-store=${DURATION}@${DURATION}`, (m, id) =>
    lateStoreFault(id, ms(m[1], m[2]), ms(m[3], m[4])),
  ),
  spelling('late-store', 'late-store', (_m, id) => lateStoreFault(id, LATE_MS, LATE_FROM_MS)),
  spelling('lost=0.5%', `lost=${SHARE}`, (m, id) => lostFault(id, share(m[1]))),
  spelling('bucket=250/s,2000', `bucket=${RATE},(\\d+)`, (m, id) => bucketFault(id, Number(m[1]), Number(m[2]))),
  spelling('stall=300ms/30s', `stall=${DURATION}/${DURATION}`, (m, id) =>
    repeatedStallFault(id, ms(m[1], m[2]), ms(m[3], m[4])),
  ),
  spelling('collapse=200/s@-2s', `collapse=${RATE}@(-?)${DURATION}`, (m, id) =>
    collapseFault(id, Number(m[1]), ms(m[3], m[4]) * (m[2] === '-' ? -1 : 1)),
  ),
  spelling('rate=180/s', String.raw`rate=(\d+(?:\.\d+)?)/s`, (m, id) =>
    rateFault(id, Number(m[1]), ['apply', 'clear']),
  ),
  spelling('rate=180/s:apply', String.raw`rate=(\d+(?:\.\d+)?)/s:(apply|clear)`, (m, id) =>
    rateFault(id, Number(m[1]), [m[2] ?? '']),
  ),
];

const SCOPE = 'only=anc';

/** A list that is split at its commas splits the spelling of a bucket too: its size belongs to what stands before it. */
function whole(texts: readonly string[]): readonly string[] {
  const isSize = (text: string, before: string | undefined) =>
    /^\d+$/.test(text) && before?.startsWith('bucket=') === true;
  return texts.flatMap((text, at) => {
    const [before, after] = [texts[at - 1], texts[at + 1]];
    if (isSize(text, before)) return [];
    return after !== undefined && isSize(after, text) ? [`${text},${after}`] : [text];
  });
}

/** Faults by their spellings; `only=anc` narrows all of them to apply and clear. Throws `UsageError` for a wrong spelling. */
export function parseFaults(texts: readonly string[]): readonly Deviation[] {
  const scope: Scope = texts.includes(SCOPE) ? 'anc' : 'all';
  return whole(texts)
    .filter((text) => text !== SCOPE)
    .map((text) => {
      for (const { pattern, make } of SPELLINGS) {
        const match = pattern.exec(text);
        if (match !== null) return make(match, text, scope);
      }
      throw new UsageError('unknown-fault', `there is no fault ${text}`, {
        hint: `one of ${[...SPELLINGS.map(({ form }) => form), SCOPE].join(', ')}`,
      });
    });
}
