import type { ServerResponse } from 'node:http';
import { json, type SeenRequest } from './stub-target.ts';

type Item = { readonly name: string; readonly value: string };

const FILTER = /^(\w+)\.(EQ|STARTSW)\.(.+)$/;

/** Behavior of the ANC family that a test can bend. */
export interface AncStubOptions {
  /** Answers 204 and stores nothing. */
  readonly forgets?: boolean;
  /** Refuses every clear. */
  readonly keeps?: boolean;
  /** Every page of the list has a next one, which shows the same. */
  readonly endless?: boolean;
  /** Every page of the list has so many more entries, of records that are not there. */
  readonly more?: number;
  readonly ipToMac?: (ip: string) => string | undefined;
  /** How it writes addresses; filters compare them as they are written. */
  readonly writes?: (mac: string) => string;
  /** It writes addresses so in names alone. */
  readonly inNames?: boolean;
  /** Entries of the list show their address. */
  readonly names?: boolean;
  /** False: the list shows no total. */
  readonly total?: boolean;
  /** False: the filter is taken and finds nothing. */
  readonly filterFinds?: boolean;
  /** What a filter STARTSW finds; it is ignored unless set. */
  readonly startsWith?: 'what begins so' | 'nothing';
  /** Field that filters take; others are refused. */
  readonly filterField?: string;
  /** Carries out every apply and clear and answers an error all the same. */
  readonly radiusFails?: boolean;
  /** Milliseconds for which what was cleared is still shown. */
  readonly showsFor?: number;
  /** The list shows nothing. */
  readonly hides?: boolean;
  /** No record is found by its id. */
  readonly hidesRecords?: boolean;
}

/** The smallest ANC family that tells the truth: apply, clear, list with the name filter, read. */
export function ancStub(options: AncStubOptions = {}) {
  const held = new Map<string, string>();
  const leaving = new Map<string, string>();
  const shown = () => new Map([...leaving, ...held]);
  const written = options.writes ?? ((mac: string) => mac);
  /** A page of a hundred, with the link to the next one. */
  const listed = (macs: readonly string[], url: URL) => {
    const page = Number(url.searchParams.get('page') ?? 1);
    url.searchParams.set('page', String(page + 1));
    const hasNext = macs.length > page * 100 || options.endless === true;
    const next = hasNext ? { nextPage: { href: `${url.pathname}${url.search}` } } : {};
    const from = options.endless === true ? 0 : (page - 1) * 100;
    const resources = macs
      .slice(from, from + 100)
      .map((mac) => ({ id: `id-${mac}`, link: {}, ...(options.names === true ? { name: mac } : {}) }));
    for (let one = 0; one < (options.more ?? 0); one += 1) resources.push({ id: `id-no-${one}`, link: {} });
    return { SearchResult: { ...(options.total === false ? {} : { total: macs.length }), resources, ...next } };
  };
  const problem = (response: ServerResponse, title: string) =>
    json(response, 400, { ERSResponse: { messages: [{ title }] } });
  const write = (request: SeenRequest, response: ServerResponse) => {
    const items = (Object.values(JSON.parse(request.body))[0] as { additionalData: Item[] }).additionalData;
    const value = (name: string) => items.find((item) => item.name === name)?.value;
    const mac = value('macAddress') ?? options.ipToMac?.(value('ipAddress') ?? '') ?? '';
    if (mac === '') return problem(response, 'Session lookup failure');
    if (request.url.endsWith('/apply')) {
      if (held.has(mac)) return problem(response, 'endpoint is already associated');
      if (options.forgets !== true) held.set(mac, value('policyName') ?? '');
    } else {
      if (options.showsFor !== undefined) {
        leaving.set(mac, held.get(mac) ?? '');
        setTimeout(() => leaving.delete(mac), options.showsFor);
      }
      if (options.keeps === true) return problem(response, 'clear is refused');
      if (!held.delete(mac) && options.forgets !== true) return problem(response, 'endpoint is not associated');
    }
    if (options.radiusFails === true)
      return json(response, 500, { ERSResponse: { messages: [{ title: 'Radius Failure' }] } });
    response.writeHead(204).end();
  };
  return {
    held,
    answer(request: SeenRequest, response: ServerResponse) {
      const url = new URL(request.url, 'http://stub');
      if (request.method === 'PUT') return write(request, response);
      const id = /\/ancendpoint\/id-(.+)$/.exec(decodeURIComponent(url.pathname))?.[1];
      if (id !== undefined) {
        const policyName = shown().get(id);
        if (policyName === undefined || options.hidesRecords === true) return json(response, 404, {});
        const addresses = options.inNames ? { name: written(id), macAddress: id } : { macAddress: written(id) };
        return json(response, 200, { ErsAncEndpoint: { id: `id-${id}`, ...addresses, policyName } });
      }
      const [, field, operator, value = ''] = FILTER.exec(url.searchParams.get('filter') ?? '') ?? [];
      if (field !== undefined && field !== (options.filterField ?? 'name')) {
        return problem(response, `The filter field '${field}' is not supported`);
      }
      const isFound = (mac: string) => {
        if (operator === 'EQ') return options.filterFinds !== false && written(mac) === value;
        if (operator === undefined || options.startsWith === undefined) return true;
        return options.startsWith === 'what begins so' && written(mac).startsWith(value);
      };
      const macs = options.hides === true ? [] : [...shown().keys()].filter(isFound);
      json(response, 200, listed(macs, url));
    },
  };
}
