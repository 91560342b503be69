import { text } from 'node:stream/consumers';
import { xmlRecords } from '../../conformance/kit/record/xml-record.ts';
import type { ListQuestion, Observation, ReadQuestion } from '../../conformance/model/observation.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import type { FamilyTable, Op } from '../../lib/contract/types.ts';
import { type Answer, answeredId, isObject, isSuccess, recordOf } from '../../lib/wire/answer.ts';
import { pageOf, walkList } from '../../lib/wire/list-walk.ts';
import { buildRequest, type RequestInput } from '../../lib/wire/request.ts';
import { createDeployment } from '../../reference/deployment.ts';
import type { Deviation } from '../../reference/deviation.ts';

const table: FamilyTable = FAMILIES;
const credentials = { username: 'u', password: 'p' };
const authorization = `Basic ${Buffer.from('u:p').toString('base64')}`;

/** How a deployment spells the parameter that joins by OR: `or`, unless it takes capitals only. */
const spelling = (isCapital: boolean) => ({ name: 'filterType', or: isCapital ? 'OR' : 'or' });

/** A deployment without a socket that is written to and looked at as over HTTP. */
export interface InProcess {
  readonly send: (family: string, op: Op, input?: RequestInput) => Promise<Answer>;
  readonly look: (question: ReadQuestion | ListQuestion) => Promise<Observation>;
}

/** A deployment with these deviations; its ids are drawn from one seed, so that two of them give the same. */
export function inProcess(deviations: readonly Deviation[]): InProcess {
  const { seams } = createDeployment({ table, sessions: 4, seed: 1, csrf: false, credentials, deviations });
  const filterType = spelling(!seams.dialect.orValues.includes('or'));
  const ask = async (family: string, op: Op, target: string, body = '', headers: object = {}): Promise<Answer> => {
    const [path = '', query = ''] = target.split('?');
    const route = seams.routing.routes.find((each) => each.family === family && each.op === op);
    const names = route?.path.split('/') ?? [];
    const parts = path.split('/').map(decodeURIComponent);
    const params = Object.fromEntries(
      names.flatMap((name, at) => (name.startsWith(':') ? [[name.slice(1), parts[at] ?? '']] : [])),
    );
    const lower = (all: object) =>
      Object.fromEntries(Object.entries(all).map(([name, value]) => [name.toLowerCase(), value]));
    const request = {
      ...{ method: route?.method ?? 'GET', path, query, origin: 'http://127.0.0.1', connection: {} },
      ...{ headers: lower({ authorization, ...headers }), body: async () => body },
    };
    const answer = await seams.front.handle({ request, params, ...(route === undefined ? {} : { route }) });
    const told = typeof answer.body === 'string' ? answer.body : await text(answer.body);
    return { status: answer.status, headers: lower(answer.headers), body: told, json: parsed(told) };
  };

  const send: InProcess['send'] = (family, op, input = {}) => {
    const { path, headers, body } = buildRequest(table, family, op, { filterType, ...input });
    return ask(family, op, path, body, headers);
  };

  const read = async (question: ReadQuestion): Promise<Observation> => {
    const { family, id, form } = question;
    const answer = await send(family, 'read', {
      id,
      ...(form === 'xml' ? { headers: { accept: 'application/xml' } } : {}),
    });
    const json = isSuccess(answer) ? recordOf(answer) : undefined;
    const [found] = json === undefined && isSuccess(answer) ? xmlRecords(answer.body ?? '') : [];
    const shown = { status: answer.status, record: json ?? found, form: json === undefined ? form : 'json' } as const;
    return { question, shown };
  };

  const list = async (question: ListQuestion): Promise<Observation> => {
    const { family, filters, join, sort, size } = question;
    const order = sort === undefined ? {} : sort.descending ? { sortDsc: sort.field } : { sortAsc: sort.field };
    const requester = {
      list: (input: RequestInput) => send(family, 'list', input),
      follow: (href: string) =>
        ask(family, 'list', href.replace(/^\w+:\/\/[^/]*/, ''), '', { accept: 'application/json' }),
    };
    const input = { list: { filters, ...(join && { join }), ...order, ...(size && { size }) } };
    const { pages, refused, cut } = await walkList(requester, input, { pages: 40 });
    const entries = pages.map(({ items }) =>
      items.map(({ id, record }) => {
        const href = isObject(record['link']) ? record['link']['href'] : undefined;
        return { id, record, ...(typeof href === 'string' ? { href } : {}) };
      }),
    );
    const end = cut ?? (refused === undefined ? 'whole' : 'refused');
    return { question, shown: { pages: entries, end, ...(refused === undefined ? {} : { status: refused.status }) } };
  };

  return { send, look: (question) => (question.window === 'list' ? list(question) : read(question)) };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Ids of the records of a family, as far as one page shows them. */
async function idsOf({ send }: InProcess, family: string): Promise<readonly string[]> {
  return pageOf(await send(family, 'list', { list: { size: 50 } }))?.items.map(({ id }) => id) ?? [];
}

/** Creates a record; its id as the answer says, or as the list shows that did not show it before. */
export async function created(
  target: InProcess,
  family: string,
  input: RequestInput,
): Promise<{ readonly answer: Answer; readonly id: string | undefined }> {
  const before = await idsOf(target, family);
  const answer = await target.send(family, 'create', input);
  const said = answeredId(answer);
  if (said !== undefined || !isSuccess(answer)) return { answer, id: said };
  return { answer, id: (await idsOf(target, family)).find((id) => !before.includes(id)) };
}
