import { asksForToken, type CsrfTokens } from '../access/gate.ts';
import { type Answer, type Call, headerOf } from '../http/wire.ts';
import { type Format, type Kit, type Outcome, type Responder, type Seams, wrap } from '../seams.ts';
import { serviceDocument } from './present.ts';
import { PROBLEM_CODES, type Problem } from './problem.ts';

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
        return { status, headers, body: status === 204 ? '' : (text ?? '') };
      }
      const format = formatFor(call);
      headers['Content-Type'] = CONTENT_TYPES[format];
      return { status, headers, body: seams.codec.encode(format, document) };
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
