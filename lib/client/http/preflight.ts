import { familyNames } from '../../contract/families.ts';
import { TargetError } from '../../errors.ts';
import { answerWords } from '../../said.ts';
import { isSuccess } from '../../wire/answer.ts';
import type { ErsClient, Exchange } from '../types.ts';
import { inTakenForm } from './header-habit.ts';
import { isPage } from './poor-answer.ts';
import { saidIn } from './said.ts';

function fault(code: string, message: string, hint: string): TargetError {
  return new TargetError(code, message, { hint });
}

const isHtml = ({ headers, body }: Exchange): boolean => isPage(headers['content-type'], body);

/** The fault that an answer shows; null where it is one of this API. */
function classifyAnswer(client: ErsClient, exchange: Exchange): TargetError | null {
  const { status, request } = exchange;
  const words = status < 400 && !isHtml(exchange) ? String(status) : answerWords(status, saidIn(client, exchange));
  const what = `GET ${request.path} answered ${words}`;
  if (status === 401) {
    return fault(
      'refused-login',
      `${what}: the login was refused; one attempt was made`,
      'check user name and password, and that the account is not suspended',
    );
  }
  if (status >= 300 && status < 400) {
    const where = exchange.headers['location'] ?? 'nowhere';
    return fault(
      'redirected',
      `${what} and sends to ${where.slice(0, 120)}`,
      'the interface may be switched off, or a gateway stands before it; check host and port of --base-url',
    );
  }
  if (isHtml(exchange)) {
    return fault(
      'not-this-api',
      `${what} with HTML instead of JSON`,
      'that is a login page or a gateway: check host and port of --base-url; the interface is usually on 9060, or on 443 behind a gateway',
    );
  }
  if (status === 403) {
    return fault(
      'no-permission',
      `${what}: the account may not read here`,
      'give the account the administrator or operator role of this interface',
    );
  }
  if (status === 404) {
    return fault('not-this-api', `${what}`, 'the path is not served there: check host, port and path of --base-url');
  }
  if (status >= 500) {
    return fault('target-fault', `${what}`, 'the deployment is not healthy, or still starting: look at its own log');
  }
  return null;
}

/** An answer that may be about one family alone: an older version does not serve all of them, with whatever error it likes, and a login may read some. */
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
  const early = isAboutFamily(first) ? null : classifyAnswer(client, first);
  if (early !== null) throw early;
  const [lists, list] = await firstList(client, names);
  const isHabitLearned = Object.keys(client.habit('GET')).length > 0;
  const version = isSuccess(first) || !isHabitLearned ? first : await client.send(family, 'version');
  const late = classifyAnswer(client, list);
  if (late !== null) throw late;
  if (list.json === undefined) {
    const kind = list.headers['content-type'] ?? 'no content type';
    throw fault(
      'not-this-api',
      `GET ${list.request.path} answered ${list.status} without JSON (${kind})`,
      'what answers there does not speak this API: check host and port of --base-url',
    );
  }
  return { family: lists, versionStatus: version.status, listStatus: list.status };
}
