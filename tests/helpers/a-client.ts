import { onTestFinished } from 'vitest';
import { readPool } from '../../lib/client/anc/pool.ts';
import { createClient } from '../../lib/client/http/create-client.ts';
import type { ClientOptions, TargetConfig } from '../../lib/client/types.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import type { ExchangeRecord, JournalEntry } from '../../lib/records/conformance.ts';
import { type AncStubOptions, ancStub } from './anc-target.ts';
import { type StubAnswer, stubOfTest } from './stub-target.ts';
import { startTinyTarget, type TinyLie } from './tiny-target.ts';

/** Password that no record may hold. */
export const CANARY = 'c4n&ry/Pa"ss+w0rd';

type Given = TestOptions & { readonly clock?: Clock };
type TestOptions = Partial<Omit<ClientOptions, 'target'>> & { readonly target?: Partial<TargetConfig> };

/** A client for a test, with everything it wrote down. */
export function aClient(baseUrl: string, options: TestOptions = {}, clock: Clock = systemClock) {
  const exchanges: ExchangeRecord[] = [];
  const journal: JournalEntry[] = [];
  const credentials = { username: 'tester', password: CANARY };
  const client = createClient(
    {
      mode: 'read-only',
      runId: 'run-1',
      table: FAMILIES,
      onExchange: ({ record }) => exchanges.push(record()),
      onJournal: (entry) => journal.push(entry),
      ...options,
      target: { baseUrl, credentials, timeoutMs: 3000, connections: 4, ...options.target },
    },
    { clock },
  );
  return { client, exchanges, journal };
}

/** A clock that does not wait: it notes how long it was asked to, and moves on by that much. */
export function eagerClock(): Clock & { readonly slept: number[] } {
  const slept: number[] = [];
  let passed = 0;
  return {
    slept,
    now: () => new Date(passed),
    monotonicMs: () => passed,
    sleep: async (ms) => {
      slept.push(ms);
      passed += ms;
    },
  };
}

/** Such a client of a stub that answers so, and the stub, which is closed after the test. */
export async function aStubClient({ clock, ...options }: Given, answer: StubAnswer) {
  const target = await stubOfTest(answer);
  return { target, ...aClient(target.baseUrl, options, clock) };
}

/** Such a client of a tiny deployment of all families, which is closed after the test. */
export async function aTinyClient({ clock, ...options }: Given, lie?: TinyLie) {
  const target = await startTinyTarget(FAMILIES, lie);
  onTestFinished(target.close);
  return { target, ...aClient(target.baseUrl, options, clock) };
}

/** Ten endpoints. */
export const ANC_POOL = readPool('02:00:00:00:00:00+10@10.0.0.0');

/** Such a client that may put the policy `Test` on them, of an ANC family that is bent so; what `lies` answers is not answered by that. */
export async function anAncClient(
  bent: AncStubOptions,
  options: Given = {},
  lies?: (...asked: Parameters<StubAnswer>) => boolean,
) {
  const anc = ancStub(bent);
  const made = await aStubClient({ mode: 'full', pool: ANC_POOL, policies: ['Test'], ...options }, (...asked) => {
    if (lies?.(...asked) !== true) anc.answer(asked[0], asked[1]);
  });
  return { anc, ...made };
}
