import { memberOf } from '../../contract/vendor.ts';

/** What an answer shows of the record it is about; header names in lower case. */
interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

type Members = Readonly<Record<string, unknown>>;

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Body as JSON; undefined where it is none. */
export const jsonOf: (body: string) => unknown = parsed;

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The resource inside its root key, or the object itself. */
function resourceOf(value: unknown): Members | undefined {
  if (!isObject(value)) return undefined;
  const held = Object.values(value);
  return held.length === 1 && isObject(held[0]) ? held[0] : value;
}

function attribute(xml: string, name: string): string | undefined {
  const pattern = new RegExp(`<${name}>([^<]*)</${name}>|\\s${name}="([^"]*)"`);
  const hit = pattern.exec(xml);
  return hit?.[1] ?? hit?.[2];
}

/** Name that a create body gives its record; undefined where it shows none. */
export function nameInBody(family: string, body: string | undefined): string | undefined {
  if (body === undefined) return undefined;
  const members = [memberOf(family, 'name'), 'name'];
  const resource = resourceOf(parsed(body));
  const names = members.map((member) => (resource === undefined ? attribute(body, member) : resource[member]));
  return names.find((name): name is string => typeof name === 'string' && name !== '');
}

/** Id of the record that a create made: last segment of Location, else the id in the body. */
export function createdId(answer: Answer): string | undefined {
  if (answer.status < 200 || answer.status > 299) return undefined;
  const location = answer.headers.find(([name]) => name === 'location')?.[1];
  const last = location?.split(/[?#]/)[0]?.replace(/\/+$/, '').split('/').at(-1);
  if (last !== undefined && last !== '') return safeDecode(last);
  const id = resourceOf(parsed(answer.body))?.['id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
