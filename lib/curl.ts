/** One request as a person repeats it. */
export interface CurlRequest {
  /** Options of curl, each one word of a shell or more; they come first. */
  readonly flags?: readonly string[];
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  /** Already a word of a shell: it may hold a variable. */
  readonly url: string;
}

/** A text as one word of a POSIX shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A curl command, part by part; the caller joins them. The login is `$ERS_AUTH`, set to `user:password`: no part holds a secret. */
export function curlParts({ flags = [], method, headers, body, url }: CurlRequest): readonly string[] {
  const verb = /^[A-Z]+$/.test(method) ? method : shellQuoted(method);
  return [
    ['curl', ...flags, '-u "$ERS_AUTH"', '-X', verb].join(' '),
    ...headers.map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${shellQuoted(body)}`]),
    url,
  ];
}
