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
export function absentHeaders({ headers, body }: Pick<CurlRequest, 'headers' | 'body'>): readonly string[] {
  const sent = new Set(headers.map(([name]) => name.toLowerCase()));
  return ['Accept', ...(body === undefined ? [] : ['Content-Type'])].filter((name) => !sent.has(name.toLowerCase()));
}

/** A curl command, part by part, without anything that curl would add. The login comes from the environment: no part holds a secret. */
export function curlParts(request: CurlRequest): readonly string[] {
  const { flags = [], method, headers, body, url } = request;
  const verb = /^[A-Z]+$/.test(method) ? method : shellQuoted(method);
  return [
    ['curl', ...flags, ...(/[[\]{}]/.test(url) ? ['-g'] : []), '-u "$ERS_USERNAME:$ERS_PASSWORD"', '-X', verb].join(
      ' ',
    ),
    ...headers.map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...absentHeaders(request).map((name) => `-H ${shellQuoted(`${name}:`)}`),
    ...(body === undefined ? [] : [`--data-raw ${shellQuoted(body)}`]),
    url,
  ];
}

/** What clears endpoints of which there are too many to name: words, for the person who knows the run. */
export const SWEEP_OF_POOL =
  'ers-harness sweep --journal RUN --base-url URL --endpoints POOL --policy NAME, as the run was given';

const TEXT = String.raw`(?:[^'\r\n]|'\\'')*`;
const HEADER = `-H '(?:Accept|Content-Type):${TEXT}'`;
const OPTION = `(?:-g|-u "\\$ERS_USERNAME:\\$ERS_PASSWORD"|-X [A-Z]+|${HEADER}|--data-raw '${TEXT}'|--insecure|--(?:cacert|cert|key) '${TEXT}')`;
const OWN = new RegExp(`^curl(?: ${OPTION})* '((?:[^'\\s]|'\\\\'')*)'$`);

/**
 * The command, if it is one that this program makes, to the target of the run: a run folder may come from elsewhere, people paste what it
 * says, and it sends their login. `baseUrl`: undefined for the embedded deployment, which has another port in each run.
 */
export function ownCommand(command: string, baseUrl: string | undefined): string {
  const url = OWN.exec(command)?.[1] ?? '';
  const isOfTarget =
    baseUrl === undefined
      ? /^http:\/\/127\.0\.0\.1:\d+\//.test(url)
      : url.startsWith(`${shellQuoted(baseUrl).slice(1, -1)}/`);
  if (isOfTarget || command === SWEEP_OF_POOL) return command;
  return '(no command: the folder holds one that this program does not write)';
}
