import { ancFields } from '../../lib/wire/anc.ts';
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

/** Questions about applying and clearing: asked on the pool, where the mode allows. */
export const ANC_QUESTIONS: readonly Question[] = [
  { id: 'anc.repeat-apply', question: 'answer to a second apply', needs: 'full', on: 'anc', ask: repeatedApply },
  {
    id: 'anc.clear-nothing',
    question: 'answer to a clear of an endpoint without a policy',
    needs: 'full',
    on: 'anc',
    ask: clearOfNothing,
  },
];
