import { OPS, PATH_PREFIX } from '../lib/contract/operations.ts';
import type { FamilyTable } from '../lib/contract/types.ts';
import { MEDIA_TYPE_PREFIX, vendorFacts } from '../lib/contract/vendor.ts';
import { asksForToken } from './access/gate.ts';
import { Problem } from './answers/problem.ts';
import { problemOutcome } from './answers/responder.ts';
import { createHandlers, versionOutcome } from './handlers/handlers.ts';
import { type Call, headerOf } from './http/wire.ts';
import type { MaybePromise, Outcome, Seams } from './seams.ts';

/** Refuses an ERS-Media-Type that is not one of the family's. */
function checkMediaType(call: Call, name: string): void {
  const given = headerOf(call.request, 'ers-media-type');
  if (given === undefined || given === '' || call.route === undefined || OPS[call.route.op].headers !== 'all') return;
  const { mediaType, versionInfo } = vendorFacts(name);
  const base = mediaType.replace(/\.\d+\.\d+$/, '');
  const named = given.replace(/^application\//, '').replace(/\+(json|xml)$/, '');
  const plain = named.startsWith(MEDIA_TYPE_PREFIX) ? named.slice(MEDIA_TYPE_PREFIX.length) : named;
  const versions = [...versionInfo.supported.split(','), versionInfo.current, mediaType.slice(base.length + 1)];
  if (!versions.some((version) => plain === `${base}.${version}`))
    throw new Problem(415, 'media', `Illegal Request Header: 'ers-media-type' is '${given}' and is not supported.`);
}

/** Clients fetch their CSRF token at families outside the twelve: those answer versioninfo, and nothing else (C16). */
function elsewhere(call: Call): Outcome {
  const { path, method } = call.request;
  const foreign = new RegExp(`^${PATH_PREFIX}/([a-z0-9]+)/versioninfo/?$`).exec(path);
  if (foreign?.[1] !== undefined && asksForToken(call)) return versionOutcome(call, foreign[1]);
  if (call.allowed === undefined) throw new Problem(404, 'missing', `There is no resource at ${path}`);
  throw new Problem(405, 'method', `The method ${method} is not supported at ${path}`, {
    headers: { Allow: call.allowed.join(', ') },
  });
}

/** The whole way of a request from gate to answer. */
export function createFront(table: FamilyTable, seams: Seams): Seams['front'] {
  const handlers = createHandlers(table, seams);
  const outcomeOf = (call: Call): MaybePromise<Outcome> => {
    seams.gate.admit(call);
    seams.codec.acceptOf(headerOf(call.request, 'accept'));
    const { route } = call;
    if (route === undefined) return elsewhere(call);
    checkMediaType(call, route.family);
    return handlers[route.op](call, route.family);
  };
  return {
    handle: async (call) => {
      let outcome: Outcome;
      try {
        outcome = await outcomeOf(call);
      } catch (fault) {
        // A fault of our own is said without its trace.
        const problem = fault instanceof Problem ? fault : new Problem(500, 'internal', 'Internal fault');
        outcome = problemOutcome(problem, call);
      }
      return seams.responder.answer(seams.responder.shape(outcome, call), call);
    },
  };
}
