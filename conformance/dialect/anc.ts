import type { Exchange } from '../../lib/client/types.ts';
import { isHeld, sendAnc } from '../kit/anc.ts';
import type { CheckContext } from '../kit/check.ts';
import { waited } from '../kit/poller.ts';
import { asking, type Question } from './question.ts';
import { probeEndpoint } from './trial/try-anc.ts';

/** Asks about an endpoint of the pool; not done without one. */
type Ask = (context: CheckContext, send: (op: 'apply' | 'clear') => Promise<Exchange>, mac: string) => Promise<unknown>;

const full = asking('full', { on: 'anc' });

const ofEndpoint = (id: string, question: string, ask: Ask): Question =>
  full(id, question, async ({ context }) => {
    const target = probeEndpoint(context);
    if (target === undefined) return undefined;
    const send = (op: 'apply' | 'clear') => sendAnc(context, `${op}-by-mac`, target);
    return ask(context, send, target.macAddress);
  });

const delay: Ask = async (context, send, mac) => {
  const holds = (wanted: boolean) => async () => ((await isHeld(context, mac)) === wanted ? true : undefined);
  // A list may go on showing what it showed before.
  await holds(false)();
  await send('apply');
  const [, shownMs] = await waited(context, holds(true));
  await send('clear');
  const [, goneMs] = await waited(context, holds(false));
  return Math.max(shownMs, goneMs);
};

const repeatedApply: Ask = async (_, send) => {
  await send('apply');
  const again = await send('apply');
  await send('clear');
  return `status ${again.status}`;
};

/** Questions about applying and clearing: asked on the pool, where the mode allows. */
export const ANC_QUESTIONS: readonly Question[] = [
  ofEndpoint('anc.delay-ms', 'milliseconds until an apply and a clear are seen by lists, at most', delay),
  ofEndpoint('anc.repeat-apply', 'answer to a second apply', repeatedApply),
  ofEndpoint(
    'anc.clear-nothing',
    'answer to a clear of an endpoint without a policy',
    async (_, send) => `status ${(await send('clear')).status}`,
  ),
];
