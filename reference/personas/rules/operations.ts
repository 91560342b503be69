import { createHmac, randomBytes } from 'node:crypto';
import { BULK_FIELDS, OPS } from '../../../lib/contract/operations.ts';
import { asksForToken, createCsrfTokens, unauthorized } from '../../access/gate.ts';
import { Problem } from '../../answers/problem.ts';
import { problemOutcome } from '../../answers/responder.ts';
import { changing, type Deviation, onAnc } from '../../deviation.ts';
import { turnsOf, waiting } from '../../faults/fault.ts';
import { type Call, headerOf } from '../../http/wire.ts';
import { withLocation } from '../../seams.ts';
import { forbid } from '../../variations/answers.ts';
import { choosing } from '../fact.ts';

const BULK_MS = 700;

const TRIES = 5;

function userOf({ request }: Call): string | undefined {
  const text = /^basic +(.+)$/i.exec(headerOf(request, 'authorization') ?? '')?.[1];
  return text === undefined ? undefined : Buffer.from(text, 'base64').toString('utf8').split(':')[0];
}

const HTML = { 'Content-Type': 'text/html;charset=utf-8' };
const NO_TOKEN =
  'CSRF nonce validation failed<!doctype html><html lang="en"><head><title>HTTP Status 403</title></head><body>Forbidden</body></html>';

const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'DELETE']);
const COOKIE = 'JSESSIONIDSSO';

/** Tokens that are good only with the cookie they came with. */
const demandsToken = (statusOfFetch: 200 | 415): Deviation => ({
  install: () => {
    const tokens = createCsrfTokens(() => performance.now());
    const secret = randomBytes(16);
    const sessionOf = (token: string) => createHmac('sha256', secret).update(token).digest('hex').toUpperCase();
    const isBound = ({ request }: Call, token: string | undefined) =>
      token !== undefined && headerOf(request, 'cookie')?.includes(`${COOKIE}=${sessionOf(token)}`) === true;
    return {
      gate: (inner) => ({
        admit: (call) => {
          inner.admit(call);
          if (!WRITES.has(call.request.method)) return;
          const token = headerOf(call.request, 'x-csrf-token');
          if (!isBound(call, token) || !tokens.accepts(token))
            throw new Problem(403, 'access', 'CSRF nonce validation failed', { text: NO_TOKEN, headers: HTML });
        },
      }),
      responder: (inner) => ({
        answer: (outcome, call) => {
          if (!asksForToken(call) || outcome.kind === 'problem') return inner.answer(outcome, call);
          const refused = new Problem(415, 'media', 'Illegal Request Header');
          const answer = inner.answer(statusOfFetch === 415 ? problemOutcome(refused, call) : outcome, call);
          const token = tokens.issue();
          const session = sessionOf(token);
          const cookies = [`APPSESSIONID=${session}; Path=/; HttpOnly`, `${COOKIE}=${session}; Path=/; HttpOnly`];
          return { ...answer, cookies, headers: { ...answer.headers, 'X-CSRF-Token': token } };
        },
      }),
    };
  },
});

const PER_SECOND = 100;
const CONNECTIONS = 30;

export const OPERATION_RULES = {
  bulk: {
    install: () => ({
      dialect: () => ({ bulkMs: BULK_MS }),
      codec: (inner) => ({
        decode: (name, op, text, format) => {
          const fields = inner.decode(name, op, text, format);
          const unknown = Object.keys(fields).find((field) => !Object.hasOwn(BULK_FIELDS, field));
          if (op === 'bulkSubmit' && format === 'json' && unknown !== undefined)
            throw new Problem(400, 'schema', `Resource Initialization Failed: Unrecognized field '${unknown}'`);
          return fields;
        },
      }),
      bulk: (inner) => ({
        submit: (name, request) => {
          try {
            return inner.submit(name, request);
          } catch (fault) {
            // Nobody is told how long to wait.
            if (fault instanceof Problem && fault.code === 'busy')
              throw new Problem(fault.status, 'busy', fault.message);
            throw fault;
          }
        },
      }),
      responder: (inner) => ({
        shape: (outcome, call) => {
          const shaped = inner.shape(outcome, call);
          const moved = (href: string) => href.replace(/\/bulk\/([^/]+)$/, '/bulk/submit/$1');
          return shaped.kind === 'bulkAccepted' ? withLocation(shaped, moved) : shaped;
        },
      }),
    }),
  },
  anc: choosing({
    ancRefusals: {
      unknownPolicy: 'Policy is not configured',
      held: 'mac address is already associated with this policy',
      notHeld: 'mac address is not associated with a policy',
    },
  }),
  ancsession: onAnc(() => (work, targets) => {
    if (targets.some(({ macAddress }) => macAddress === undefined))
      throw new Problem(400, 'crud', 'Session lookup failure');
    return work();
  }),
  ancradius: onAnc(() => async (work) => {
    await work();
    throw new Problem(500, 'crud', 'Radius Failure');
  }),
  lockout: changing('gate', (inner) => {
    const wrong = new Map<string, number>();
    return {
      admit: (call) => {
        const user = userOf(call);
        try {
          inner.admit(call);
        } catch (fault) {
          if (user !== undefined && fault instanceof Problem && fault.status === 401)
            wrong.set(user, (wrong.get(user) ?? 0) + 1);
          throw fault;
        }
        if (user !== undefined && (wrong.get(user) ?? 0) >= TRIES) throw unauthorized();
      },
    };
  }),
  csrf: demandsToken(200),
  csrf415: demandsToken(415),
  operator: { install: forbid(({ route }) => route !== undefined && OPS[route.op].mutates) },
  rate: waiting('others', (kit) => turnsOf(kit, PER_SECOND)),
  connections: choosing({ connections: CONNECTIONS }),
} satisfies Readonly<Record<string, Deviation>>;
