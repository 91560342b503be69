import { familyNames } from '../../contract/families.ts';
import { OPS } from '../../contract/operations.ts';
import type { Op } from '../../contract/types.ts';
import { TargetError } from '../../errors.ts';
import { answerWords } from '../../said.ts';
import { isForbidden, isNotServed, isOverloaded, isRedirect, isSuccess } from '../../wire/answer.ts';
import type { ErsClient, Exchange, HeaderHabit } from '../types.ts';
import { isPage } from './poor-answer.ts';
import { saidIn } from './said.ts';

/** Forms of the headers of media types, the most usual one first. Each of them is optional (Conventions, point 2). */
const FORMS: readonly HeaderHabit[] = [
  { contentType: null },
  { accept: '*/*' },
  { contentType: 'application/json;charset=utf-8' },
  { contentType: null, accept: null },
];

/** Statuses with which servers are known to refuse a media type. */
const REFUSES_MEDIA: ReadonlySet<number> = new Set([400, 406, 415]);

/** True for a refusal that the headers of the request may be the reason of; of a read only where the status says as much. */
function mayBeHeaders(op: Op, answer: Exchange): boolean {
  if (isSuccess(answer) || isForbidden(answer) || isNotServed(answer) || isOverloaded(answer)) return false;
  return OPS[op].mutates ? answer.status >= 400 : REFUSES_MEDIA.has(answer.status);
}

/** Sends a request in the usual form, or in others until one is taken, which the client keeps. Returns that answer, else the first. */
export async function inTakenForm(
  client: ErsClient,
  op: Op,
  send: (headers: HeaderHabit) => Promise<Exchange>,
): Promise<Exchange> {
  const first = await send({});
  if (!mayBeHeaders(op, first)) return first;
  for (const form of FORMS) {
    const answer = await send(form);
    if (!isSuccess(answer)) continue;
    // A target that refuses now and then takes the usual form when it is sent again.
    const again = OPS[op].mutates ? undefined : await send({});
    if (again !== undefined && isSuccess(again)) return again;
    client.prefer(OPS[op].method, form);
    return answer;
  }
  return first;
}

const isHtml = ({ headers, body }: Exchange): boolean => isPage(headers['content-type'], body);

/** The fault that an answer shows; null if it is one of this API. */
function classifyAnswer(client: ErsClient, exchange: Exchange): TargetError | null {
  const { status, request } = exchange;
  const words = status < 400 && !isHtml(exchange) ? String(status) : answerWords(status, saidIn(client, exchange));
  const what = `GET ${request.path} answered ${words}`;
  if (status === 401)
    return new TargetError('refused-login', `${what}: the login was refused; one attempt was made`, {
      hint: 'check user name and password, and that the account is not suspended',
    });
  if (status >= 300 && status < 400)
    return new TargetError(
      'redirected',
      `${what} and sends to ${(exchange.headers['location'] ?? 'nowhere').slice(0, 120)}`,
      { hint: 'the interface may be switched off, or a gateway stands before it; check host and port of --base-url' },
    );
  if (isHtml(exchange))
    return new TargetError('not-this-api', `${what} with HTML instead of JSON`, {
      hint: 'that is a login page or a gateway: check host and port of --base-url; the interface is usually on 9060, or on 443 behind a gateway',
    });
  if (status === 403)
    return new TargetError('no-permission', `${what}: the account may not read here`, {
      hint: 'give the account the administrator or operator role of this interface',
    });
  if (status === 404)
    return new TargetError('not-this-api', what, {
      hint: 'the path is not served there: check host, port and path of --base-url',
    });
  if (status < 500) return null;
  return new TargetError('target-fault', what, {
    hint: 'the deployment is not healthy, or still starting: look at its own log',
  });
}

/** An answer that may be about one family alone: an older version may not serve it, and a login may read only some. */
const isAboutFamily = ({ status }: Exchange): boolean => status === 403 || status === 404 || status >= 500;

/** The first list that is served, in a form of the headers that is taken; where none is, the last one asked for. */
async function firstList(client: ErsClient, names: readonly string[]): Promise<readonly [string, Exchange]> {
  const listed = names.filter((name) => client.options.table[name]?.ops.includes('list'));
  const ask = (name: string) =>
    inTakenForm(client, 'list', (headers) => client.send(name, 'list', { list: { size: 1 }, headers }));
  for (const name of listed.slice(0, -1)) {
    const list = await ask(name);
    if (!isAboutFamily(list)) return [name, list];
  }
  const last = listed.at(-1) ?? names[0] ?? '';
  return [last, await ask(last)];
}

/** Asks one version and one list, and says what is wrong. Throws `TargetError` with a hint. A wrong password is sent once. */
export async function preflight(client: ErsClient) {
  const names = familyNames(client.options.table);
  const [family = ''] = names;
  const first = await client.send(family, 'version');
  // Version information may be at an address of its own: where the interface is off, the list leads elsewhere too.
  const early = isAboutFamily(first) || isRedirect(first) ? null : classifyAnswer(client, first);
  if (early !== null) throw early;
  const [lists, list] = await firstList(client, names);
  const isHabitLearned = Object.keys(client.habit('GET')).length > 0;
  const version = isSuccess(first) || !isHabitLearned ? first : await client.send(family, 'version');
  const late = classifyAnswer(client, list);
  if (late !== null) throw late;
  if (list.json === undefined) {
    const kind = list.headers['content-type'] ?? 'no content type';
    throw new TargetError('not-this-api', `GET ${list.request.path} answered ${list.status} without JSON (${kind})`, {
      hint: 'what answers there does not speak this API: check host and port of --base-url',
    });
  }
  return { family: lists, versionStatus: version.status, listStatus: list.status, date: list.headers['date'] };
}
