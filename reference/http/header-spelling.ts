import type { ServerResponse } from 'node:http';

/** Real clients look headers up by exactly these spellings (C22); the framework lower-cases all of them. */
const SPELLINGS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...['Allow', 'Cache-Control', 'Connection', 'Content-Length', 'Content-Type', 'ETag', 'Expires', 'Location'],
    ...['Retry-After', 'Set-Cookie', 'Strict-Transport-Security', 'WWW-Authenticate', 'X-CSRF-Token'],
  ].map((name) => [name.toLowerCase(), name]),
);

type HeaderMap = Readonly<Record<string, string | string[] | number>>;

/** Makes a response write its headers as clients expect them. */
export function restoreSpelling(response: ServerResponse): void {
  const write = response.writeHead.bind(response) as (status: number, ...rest: unknown[]) => ServerResponse;
  const restored = (status: number, ...rest: readonly unknown[]): ServerResponse => {
    const headers = rest.at(-1);
    if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return write(status, ...rest);
    const spelled: Record<string, string | string[] | number> = {};
    for (const name in headers) spelled[SPELLINGS[name] ?? name] = (headers as HeaderMap)[name] as string;
    return write(status, ...rest.slice(0, -1), spelled);
  };
  response.writeHead = restored as typeof response.writeHead;
}
