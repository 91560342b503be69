import type { ServerResponse } from 'node:http';

/** Real clients look headers up by exactly these spellings (C22); the framework lower-cases all of them. */
const SPELLINGS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'Allow',
    'Connection',
    'Content-Length',
    'Content-Type',
    'Location',
    'Retry-After',
    'WWW-Authenticate',
    'X-CSRF-Token',
  ].map((name) => [name.toLowerCase(), name]),
);

type HeaderMap = Readonly<Record<string, string | string[] | number>>;

/** Makes a response write its headers as clients expect them. */
export function restoreSpelling(response: ServerResponse): void {
  const write = response.writeHead.bind(response) as (status: number, headers?: HeaderMap) => ServerResponse;
  const restored = (status: number, headers?: HeaderMap): ServerResponse => {
    if (headers === undefined || Array.isArray(headers)) return write(status, headers);
    const spelled: Record<string, string | string[] | number> = {};
    for (const name in headers) spelled[SPELLINGS[name] ?? name] = headers[name] as string;
    return write(status, spelled);
  };
  response.writeHead = restored as typeof response.writeHead;
}
