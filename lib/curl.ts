export interface CurlRequest {
  readonly flags?: readonly string[];
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  /** Already a word of a shell: it may hold a variable. */
  readonly url: string;
}

export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Headers that curl sends by itself if they are not taken out: with any request, and with a body. */
const OF_CURL = { any: 'Accept', body: 'Content-Type' } as const;

/** A curl command, part by part, without anything that curl would add. The login comes from the environment: no part holds a secret. */
export function curlParts({ flags = [], method, headers, body, url }: CurlRequest): readonly string[] {
  const verb = /^[A-Z]+$/.test(method) ? method : shellQuoted(method);
  const sent = new Set(headers.map(([name]) => name.toLowerCase()));
  const added = body === undefined ? [OF_CURL.any] : [OF_CURL.any, OF_CURL.body];
  const absent = added.filter((name) => !sent.has(name.toLowerCase()));
  return [
    ['curl', ...flags, ...(/[[\]{}]/.test(url) ? ['-g'] : []), '-u "$ERS_USERNAME:$ERS_PASSWORD"', '-X', verb].join(
      ' ',
    ),
    ...headers.map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...absent.map((name) => `-H ${shellQuoted(`${name}:`)}`),
    ...(body === undefined ? [] : [`--data-raw ${shellQuoted(body)}`]),
    url,
  ];
}

const WORD = String.raw`'(?:[^'\r\n]|'\\'')*'`;
const OPTION = `(?:-g|-u "\\$ERS_USERNAME:\\$ERS_PASSWORD"|-X [A-Z]+|-H ${WORD}|--data-raw ${WORD}|--insecure|--(?:cacert|cert|key) ${WORD})`;
const OWN = new RegExp(`^(?:curl(?: ${OPTION})* 'https?://(?:[^'\\s]|'\\\\'')*'|ers-harness sweep [\\w ./:,=@+-]+)$`);

/** The command, if it is one that this program makes: a run folder may come from elsewhere, and people paste what it says. */
export const ownCommand = (command: string): string =>
  OWN.test(command) ? command : '(no command: the folder holds one that this program does not write)';
