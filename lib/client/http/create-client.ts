import { setMaxListeners } from 'node:events';
import pLimit from 'p-limit';
import type { Clock } from '../../clock.ts';
import { PATH_PREFIX } from '../../contract/operations.ts';
import type { HttpMethod } from '../../contract/types.ts';
import { defined } from '../../defined.ts';
import { TargetError } from '../../errors.ts';
import { packageVersion } from '../../package-root.ts';
import { openClosings } from '../safety/guard.ts';
import { openRegistry } from '../safety/registry.ts';
import type { ClientOptions, ErsClient, ViewOptions } from '../types.ts';
import { openDelivery } from './delivery.ts';
import { guarded } from './guarded-send.ts';
import { builtRequest, type Core } from './looks.ts';
import { onceMore } from './retries.ts';
import { leadOf } from './see-other.ts';
import { openTransport } from './transport.ts';

function viewOf(core: Core, view: ViewOptions): ErsClient {
  const { options, registry, delivery, closings, habits } = core;
  const { endpoints } = registry;
  const twice = onceMore(core.vain, view);
  return {
    // Of what two of them tell, the registry tells all.
    ...{ ...endpoints, ...registry.records, ...registry, ...delivery, ...closings, options },
    answersStill: () => delivery.answersStill(view),
    waitsForLate: () => registry.waitsForLate(delivery.cleanup),
    send: (family, op, input) =>
      twice(async () => guarded(core, builtRequest(core, family, op, input), view, input), op),
    follow: async (family, href, headers) => {
      const list = builtRequest(core, family, 'list', defined({ headers }));
      const path = leadOf(options.target.baseUrl, list.path, href);
      if (path === undefined)
        throw new TargetError('foreign-link', `the target sent a link outside ${PATH_PREFIX}: ${href.slice(0, 200)}`, {
          hint: 'the link is not followed; the exchange shows it',
        });
      return twice(() => guarded(core, { ...list, path }, view), 'list');
    },
    raw: async ({ fields, method, ...request }) =>
      guarded(core, { headers: {}, ...request, method: method as HttpMethod }, view, defined({ fields })),
    prefer: (method, headers) => void habits.set(method, headers),
    habit: (method) => habits.get(method) ?? {},
    waitToLook: (ms) => {
      core.unsteadyMs = ms;
    },
    journalSynced: async () => options.journalSynced?.(),
    mark: (event, address) => (event === 'applied' ? endpoints.apply(address, true) : endpoints.clear(address, true)),
    view: (more) => viewOf(core, { ...view, ...more }),
    tryConnections: (family, connections) =>
      delivery.tryConnections(builtRequest(core, family, 'list', { list: { size: 1 } }), connections),
    close: core.transport.close,
  };
}

/** Opens the client of a run. Nothing is sent before the first request. */
export function createClient(options: ClientOptions, deps: { readonly clock: Clock }): ErsClient {
  // Every request under way listens to it, and there may be as many as there are connections.
  if (options.signal !== undefined) setMaxListeners(0, options.signal);
  const transport = openTransport(options.target, deps.clock);
  const userAgent = `ers-harness/${packageVersion()} (run ${options.runId})`;
  const core: Core = {
    options,
    transport,
    delivery: openDelivery(options, { clock: deps.clock, transport, userAgent }),
    registry: openRegistry(options, deps.clock),
    closings: openClosings(),
    habits: new Map(),
    bulkTurn: pLimit(1),
    clock: deps.clock,
    unsteadyMs: 0,
    vain: { times: new Map(), refusing: new Set() },
    clientOf: (view) => viewOf(core, view),
  };
  return viewOf(core, {});
}
