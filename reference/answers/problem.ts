/** Prose codes that recorded answers carry in `ERSResponse.messages[].code` (assumption A-12). */
export const PROBLEM_CODES = {
  validation: 'Application resource validation exception',
  schema: 'Resource Initialization Exception',
  query: 'Query validation exception',
  page: 'Page not exists exception',
  crud: 'CRUD operation exception',
  missing: 'Resource not found exception',
  method: 'Unsupported method exception',
  media: 'Resource media type exception',
  size: 'Request size exception',
  busy: 'Bulk request exception',
  internal: 'Internal exception',
  access: 'Access exception',
} as const;

export type ProblemCode = keyof typeof PROBLEM_CODES;

export class Problem extends Error {
  readonly status: number;
  readonly code: ProblemCode;
  readonly headers: Readonly<Record<string, string>>;
  /** Text to answer with instead of the envelope. */
  readonly text: string | undefined;

  constructor(
    status: number,
    code: ProblemCode,
    title: string,
    extra: { headers?: Readonly<Record<string, string>>; text?: string } = {},
  ) {
    super(title);
    this.status = status;
    this.code = code;
    this.headers = extra.headers ?? {};
    this.text = extra.text;
  }
}

/** Refuses a value of a body: 400 with the field named. */
export function invalidField(field: string, why: string): Problem {
  return new Problem(400, 'validation', `Validation Error - Illegal values: [${field}]: ${why}`);
}

/** Refuses a body that lacks members: 400 with their names. */
export function missingFields(names: readonly string[]): Problem {
  return new Problem(400, 'validation', `Validation Error - Mandatory fields missing: [${names.join(', ')}]`);
}

/** Refuses a request for the value of a header: 415. */
export function unsupportedHeader(header: string, value: string): Problem {
  return new Problem(415, 'media', `Illegal Request Header: '${header}' is '${value}' and is not supported.`);
}
