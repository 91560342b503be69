import { ancFields } from '../../lib/wire/anc.ts';
import { isHeld } from '../kit/anc/held.ts';
import { waited } from '../kit/poller.ts';
import type { Probe, Question } from './question.ts';
import { probeEndpoint } from './trial/try-anc.ts';

async function repeatedApply(probe: Probe): Promise<unknown> {
  const target = probeEndpoint(probe.context);
  if (target === undefined) return undefined;
  const { context } = probe;
  await context.send('apply', { fields: ancFields('apply-by-mac', target) });
  const again = await context.send('apply', { fields: ancFields('apply-by-mac', target) });
  await context.send('clear', { fields: ancFields('clear-by-mac', target) });
  return `status ${again.status}`;
}

async function clearOfNothing(probe: Probe): Promise<unknown> {
  const target = probeEndpoint(probe.context);
  if (target === undefined) return undefined;
  const exchange = await probe.context.send('clear', { fields: ancFields('clear-by-mac', target) });
  return `status ${exchange.status}`;
}

/** How long an apply and a clear take until a list shows what they did. */
async function delay(probe: Probe): Promise<unknown> {
  const { context } = probe;
  const target = probeEndpoint(context);
  if (target === undefined) return undefined;
  const holds = (wanted: boolean) => async () =>
    (await isHeld(context, target.macAddress)) === wanted ? true : undefined;
  // A list may go on showing what it showed before.
  await holds(false)();
  await context.send('apply', { fields: ancFields('apply-by-mac', target) });
  const [, shownMs] = await waited(context, holds(true));
  await context.send('clear', { fields: ancFields('clear-by-mac', target) });
  const [, goneMs] = await waited(context, holds(false));
  return Math.max(shownMs, goneMs);
}

/** Questions about applying and clearing: asked on the pool, where the mode allows. */
export const ANC_QUESTIONS: readonly Question[] = [
  {
    id: 'anc.delay-ms',
    question: 'milliseconds until an apply and a clear are seen by lists, at most',
    needs: 'full',
    on: 'anc',
    ask: delay,
  },
  { id: 'anc.repeat-apply', question: 'answer to a second apply', needs: 'full', on: 'anc', ask: repeatedApply },
  {
    id: 'anc.clear-nothing',
    question: 'answer to a clear of an endpoint without a policy',
    needs: 'full',
    on: 'anc',
    ask: clearOfNothing,
  },
];
