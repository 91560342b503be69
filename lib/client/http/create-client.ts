import { setMaxListeners } from 'node:events';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Clock } from '../../clock.ts';
import { OPS, PATH_PREFIX } from '../../contract/operations.ts';
import type { HttpMethod, Op } from '../../contract/types.ts';
import { defined } from '../../defined.ts';
import { TargetError } from '../../errors.ts';
import { packageVersion } from '../../package-root.ts';
import { buildRequest, type RequestSpec } from '../../wire/request.ts';
import { classifyWrite, refuseWrite, type Write } from '../safety/guard.ts';
import { type Ledger, openLedger } from '../safety/ledger.ts';
import { createdId, jsonOf, nameInBody } from '../safety/record-identity.ts';
import type { ClientOptions, ErsClient, Exchange, RawRequest, ViewOptions } from '../types.ts';
import type { Delivered } from './attempt.ts';
import { type Delivery, openDelivery } from './delivery.ts';
import { openTransport, type Transport, type WireAnswer } from './transport.ts';

export interface ClientDeps {
  readonly clock: Clock;
}

interface Core {
  readonly options: ClientOptions;
  readonly transport: Transport;
  readonly delivery: Delivery;
  readonly ledger: Ledger;
  readonly bulkTurn: LimitFunction;
}

function exchangeOf(request: RequestSpec, { id, answer }: Delivered): Exchange {
  const headers: Record<string, string> = {};
  for (const [name, value] of answer.headers) {
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return {
    id,
    request,
    status: answer.status,
    headers,
    body: answer.body,
    json: jsonOf(answer.body),
    durationMs: answer.durationMs,
    ...(answer.cut ? { cut: true } : {}),
  };
}

/** Journal entry before a write is sent. */
function intend(ledger: Ledger, write: Write, request: RequestSpec, name: string | undefined, covered: boolean): void {
  const { family, op: operation } = request;
  if (write.kind === 'apply' || write.kind === 'clear') {
    if (covered) return;
    for (const endpoint of write.endpoints) ledger.note('intent', { family, operation, endpoint });
    return;
  }
  const id = write.kind === 'record' ? { id: write.id } : {};
  ledger.note('intent', { family, operation, ...id, ...defined({ name }) });
}

/** What the answer of a write (null: none came) means for what this run has on the target. */
function settle(
  ledger: Ledger,
  write: Write,
  request: RequestSpec,
  name: string | undefined,
  answer: WireAnswer | null,
  covered: boolean,
): void {
  const { op: operation } = request;
  const accepted = answer !== null && answer.status >= 200 && answer.status < 300;
  if (write.kind === 'create') {
    const id = answer === null ? undefined : createdId(answer);
    if (id !== undefined) ledger.addCreated(write.family, operation, id, name);
    else ledger.addUnresolved(write.family, name);
  } else if (write.kind === 'record') {
    if (write.removes && (accepted || answer?.status === 404)) ledger.addRemoved(write.family, operation, write.id);
  } else if ((write.kind === 'apply' || write.kind === 'clear') && !covered) {
    for (const endpoint of write.endpoints) {
      // A refused apply may still have stored the policy, and one without an answer even more so.
      if (write.kind === 'apply') ledger.addApplied(endpoint, accepted);
      else if (accepted) ledger.addCleared(endpoint);
      if (accepted) {
        ledger.note(write.kind === 'apply' ? 'applied' : 'cleared', { family: write.family, operation, endpoint });
      }
    }
  }
}

async function guarded(core: Core, request: RequestSpec, view: ViewOptions, givenName?: string): Promise<Exchange> {
  const { options, ledger, delivery } = core;
  const write = classifyWrite(request);
  if (write === null) return exchangeOf(request, await delivery.deliver(request, view));
  const { mode, pool, policies } = options;
  // A view shows records of other families: one that this run created stays its own when it is named through the view.
  const owns = (family: string, id: string) =>
    [family, ...(options.table[family]?.viewOf ?? [])].some((name) => ledger.owns(name, id));
  const refused = refuseWrite(write, { mode, pool, policies, owns });
  if (refused !== null) throw refused;
  if (view.signal !== 'ignored') options.signal?.throwIfAborted();
  const covered = view.ancJournal === 'covered';
  const name = write.kind === 'create' ? (givenName ?? nameInBody(write.family, request.body)) : undefined;
  const deliver = async () => {
    intend(ledger, write, request, name, covered);
    let answer: WireAnswer | null = null;
    try {
      const delivered = await delivery.deliver(request, view);
      answer = delivered.answer;
      return exchangeOf(request, delivered);
    } finally {
      settle(ledger, write, request, name, answer, covered);
    }
  };
  return write.kind === 'bulk' ? core.bulkTurn(deliver) : deliver();
}

/** Path below the base URL of a link given by the target; a link to another host keeps its path and query only. */
function pathOfLink(baseUrl: string, family: string, href: string): string {
  const base = new URL(baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  const request = `${base.origin}${prefix}${PATH_PREFIX}/${encodeURIComponent(family)}`;
  const link = URL.canParse(href, request) ? new URL(href, request) : undefined;
  const path = link?.pathname.startsWith(`${prefix}${PATH_PREFIX}/`)
    ? link.pathname.slice(prefix.length)
    : link?.pathname;
  if (link === undefined || path === undefined || !path.startsWith(`${PATH_PREFIX}/`)) {
    throw new TargetError(
      'foreign-link',
      `the target gave a link that is not under ${PATH_PREFIX}: ${href.slice(0, 200)}`,
      {
        hint: 'the link is not followed; see the exchange that holds it',
      },
    );
  }
  return path + link.search;
}

function rawSpec(request: RawRequest): RequestSpec {
  return {
    family: request.family,
    op: request.op,
    method: request.method as HttpMethod,
    path: request.path,
    headers: request.headers ?? {},
    ...defined({ body: request.body }),
  };
}

function viewOf(core: Core, view: ViewOptions): ErsClient {
  const { options, ledger, delivery } = core;
  return {
    options,
    send: async (family, op, input) => guarded(core, buildRequest(options.table, family, op, input), view),
    follow: async (family, href) => {
      const headers = { Accept: 'application/json' };
      const path = pathOfLink(options.target.baseUrl, family, href);
      return guarded(core, { family, op: 'list', method: OPS.list.method, path, headers }, view);
    },
    raw: async (request) => guarded(core, rawSpec(request), view, request.name),
    created: ledger.created,
    owned: ledger.owned,
    unresolved: ledger.unresolved,
    applied: ledger.applied,
    touched: ledger.touched,
    totals: ledger.totals,
    needsCsrf: delivery.needsCsrf,
    adopt: (family, id, name) => ledger.addCreated(family, 'create' satisfies Op, id, name),
    dismiss: ledger.resolve,
    gone: (family, id) => ledger.addRemoved(family, 'delete' satisfies Op, id),
    note: ledger.note,
    mark: (event, address) => (event === 'applied' ? ledger.addApplied(address, true) : ledger.addCleared(address)),
    requests: delivery.requests,
    view: (more) => viewOf(core, { ...view, ...more }),
    close: core.transport.close,
  };
}

/**
 * Opens the client of a run. Nothing is sent before the first request. Throws `UsageError` where the certificate
 * authority cannot be read.
 */
export function createClient(options: ClientOptions, deps: ClientDeps): ErsClient {
  // Every request under way listens to it, and there may be as many as there are connections.
  if (options.signal !== undefined) setMaxListeners(0, options.signal);
  const transport = openTransport(options.target, deps.clock);
  const userAgent = `ers-harness/${packageVersion()} (run ${options.runId})`;
  return viewOf(
    {
      options,
      transport,
      delivery: openDelivery(options, { clock: deps.clock, transport, userAgent }),
      ledger: openLedger(options.runId, options.pool, deps.clock, options.onJournal),
      bulkTurn: pLimit(1),
    },
    {},
  );
}
