import type { Exchange } from '../../../lib/client/types.ts';
import { OPS, PATH_PREFIX } from '../../../lib/contract/operations.ts';
import { MEDIA_TYPE_PREFIX, vendorFacts } from '../../../lib/contract/vendor.ts';
import { answeredId, isObject, isSuccess } from '../../../lib/wire/answer.ts';
import { rootKey } from '../../../lib/wire/request.ts';
import { escapeXml, xmlElement } from '../../../lib/wire/xml.ts';
import type { CheckContext } from '../../kit/check.ts';

/** Values of a bulk request: not shown (gap G-08); these are what published definitions use. */
export function bulkValues(name: string): { readonly operationType: string; readonly resourceMediaType: string } {
  return { operationType: 'create', resourceMediaType: `${MEDIA_TYPE_PREFIX}${vendorFacts(name).mediaType}+xml` };
}

/** A submitted bulk request and what its monitor said. */
export interface BulkRun {
  readonly submitted: Exchange;
  readonly id: string | undefined;
  /** Answers of the monitor, in order; the last one is the state it was left in. */
  readonly monitored: readonly Exchange[];
  readonly state: 'done' | 'running' | 'unclear';
}

/** What a small bulk request is given before the monitor is asked again: nobody gains from asking while it is worked off. */
const WORK_MS = 100;
const ID_MEMBERS = ['bulkId', 'bulkID', 'bulkid', 'id'];
const DONE = /complet|success|fail|done|finish|end/i;
const RUNNING = /progress|running|pending|start|queue|new|wait|process/i;

/** What the monitor's answer holds under its root. */
export function statusOf({ json }: Pick<Exchange, 'json'>): Readonly<Record<string, unknown>> {
  if (!isObject(json)) return {};
  const inner = Object.values(json).find(isObject);
  return inner ?? json;
}

function stateOf(exchange: Exchange): BulkRun['state'] {
  const word = String(statusOf(exchange)['executionStatus'] ?? '');
  if (DONE.test(word)) return 'done';
  return RUNNING.test(word) ? 'running' : 'unclear';
}

/** Submits by the given request, alone in the run, and asks the monitor until it is done or the window is over. */
export function runBulk(context: CheckContext, submit: () => Promise<Exchange>): Promise<BulkRun> {
  return context.exclusive('bulk', async () => {
    const submitted = await submit();
    const id = isSuccess(submitted) ? answeredId(submitted, ID_MEMBERS) : undefined;
    const monitored: Exchange[] = [];
    if (id === undefined) return { submitted, id, monitored, state: 'unclear' };
    await context.eventually(async () => {
      const answer = await context.send('bulkMonitor', { bulkId: id });
      monitored.push(answer);
      return !isSuccess(answer) || stateOf(answer) === 'done' ? answer : undefined;
    }, WORK_MS);
    const last = monitored.at(-1);
    return { submitted, id, monitored, state: last === undefined ? 'unclear' : stateOf(last) };
  });
}

/** Submits the two members that the specification lists. */
export function submitPlain(context: CheckContext): Promise<BulkRun> {
  return runBulk(context, () => context.send('bulkSubmit', { fields: bulkValues(context.family.name) }));
}

/** Submits records to create, in the XML form of published definitions; the specification shows no place for them. */
export function submitRecords(
  context: CheckContext,
  records: readonly Readonly<Record<string, unknown>>[],
): Promise<BulkRun> {
  const { xml } = vendorFacts(context.family.name);
  const { operationType, resourceMediaType } = bulkValues(context.family.name);
  const resources = records.map((fields) => {
    const attributes = ['name', 'description'].flatMap((member) =>
      typeof fields[member] === 'string' ? [` ${member}="${escapeXml(fields[member])}"`] : [],
    );
    const members = Object.entries(fields).filter(([member]) => member !== 'name' && member !== 'description');
    return `<ns0:resource${attributes.join('')}>${members.map(([member, value]) => xmlElement(member, value)).join('')}</ns0:resource>`;
  });
  const root = rootKey(context.family, 'bulkSubmit') ?? 'bulkRequest';
  const element = `ns0:${root.charAt(0).toLowerCase()}${root.slice(1)}`;
  const body =
    `<?xml version="1.0" encoding="UTF-8"?><${element} xmlns:ns0="${xml.namespace}" operationType="${operationType}" ` +
    `resourceMediaType="${resourceMediaType}"><ns0:resourcesList>${resources.join('')}</ns0:resourcesList></${element}>`;
  return runBulk(context, () =>
    context.raw({
      family: context.family.name,
      op: 'bulkSubmit',
      method: OPS.bulkSubmit.method,
      path: `${PATH_PREFIX}/${context.family.name}${OPS.bulkSubmit.path}`,
      headers: { Accept: 'application/json', 'Content-Type': 'application/xml' },
      body,
    }),
  );
}
