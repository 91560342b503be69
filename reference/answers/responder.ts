import { asksForToken, type CsrfTokens } from '../access/gate.ts';
import { type Answer, type Call, headerOf } from '../http/wire.ts';
import { type Format, type Kit, type Outcome, type Responder, type Seams, wrap } from '../seams.ts';
import { serviceDocument } from './present.ts';

/** Prose codes that recorded answers carry in `ERSResponse.messages[].code` (assumption A-12). */
const PROBLEM_CODES = {
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

type ProblemCode = keyof typeof PROBLEM_CODES;

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

const CONTENT_TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json;charset=utf-8',
  xml: 'application/xml;charset=utf-8',
};

const VERBS: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', DELETE: 'delete', GET: 'get' };

/** Error envelope (C12): the request in words, one message whose title says what was wrong, and the address. */
export function problemOutcome(problem: Problem, { request, route }: Call): Outcome {
  const { status, headers } = problem;
  if (problem.text !== undefined) return { kind: 'problem', status, headers, text: problem.text };
  const verb = route?.op === 'list' ? 'getAll' : (VERBS[request.method] ?? 'request');
  const operation = [request.method, verb, route?.family ?? 'resource'].join('-');
  const messages = [{ title: problem.message, type: 'ERROR', code: PROBLEM_CODES[problem.code] }];
  const link = { rel: 'related', href: request.origin + request.path, type: 'application/xml' };
  return { kind: 'problem', status, headers, document: serviceDocument('ERSResponse', { operation, messages, link }) };
}

export function createResponder(seams: Seams, tokens: CsrfTokens): Responder {
  const formatFor = (call: Call): Format => {
    try {
      return seams.codec.acceptOf(headerOf(call.request, 'accept'));
    } catch {
      return 'json';
    }
  };
  return {
    shape: (outcome) => outcome,
    answer: (outcome, call) => {
      const { status, document, text } = outcome;
      const headers: Record<string, string> = { ...outcome.headers };
      if (outcome.kind !== 'problem' && asksForToken(call)) headers['X-CSRF-Token'] = tokens.issue();
      if (document === undefined || status === 204) {
        const body = status === 204 ? '' : (text ?? '');
        // Without a length the empty 201 would be sent in chunks, and strict clients wait for its body.
        if (status !== 204) headers['Content-Length'] = String(Buffer.byteLength(body));
        return { status, headers, body };
      }
      const format = formatFor(call);
      const body = seams.codec.encode(format, document);
      headers['Content-Type'] = CONTENT_TYPES[format];
      headers['Content-Length'] = String(Buffer.byteLength(body));
      return { status, headers, body };
    },
  };
}

export const refuse = ({ seams }: Kit, call: Call, problem: Problem): Answer =>
  seams.responder.answer(problemOutcome(problem, call), call);

/** Refuses requests before anything else looks at them. */
export const refusing = (when: (call: Call) => Problem | undefined) =>
  wrap('front', ({ handle }, kit) => ({
    handle: (call) => {
      const problem = when(call);
      return problem === undefined ? handle(call) : refuse(kit, call, problem);
    },
  }));
