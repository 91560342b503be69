import { BULK_FIELDS } from '../../../lib/contract/operations.ts';
import type { AncTarget } from '../../../lib/wire/anc.ts';
import { Problem } from '../../answers/problem.ts';
import { changing, choosing, type Implementation } from '../rule.ts';

const BULK_MS = 700;

/** JSON carries the two listed members and nothing else; resources come in XML. */
const bulk: Implementation = {
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
          if (fault instanceof Problem && fault.code === 'busy') throw new Problem(fault.status, 'busy', fault.message);
          throw fault;
        }
      },
    }),
    responder: (inner) => ({
      shape: (outcome, call) => {
        const shaped = inner.shape(outcome, call);
        const location = shaped.headers?.['Location'];
        if (shaped.kind !== 'bulkAccepted' || location === undefined) return shaped;
        return {
          ...shaped,
          headers: { ...shaped.headers, Location: location.replace(/\/bulk\/([^/]+)$/, '/bulk/submit/$1') },
        };
      },
    }),
  }),
};

const anc = choosing({
  ancRefusals: {
    unknownPolicy: 'Policy is not configured',
    held: 'mac address is already associated with this policy',
    notHeld: 'mac address is not associated with a policy',
  },
});

/** An endpoint without a session is known by its MAC address only. */
const ancsession = changing('anc', (inner) => {
  const needSession = (targets: readonly AncTarget[]) => {
    if (targets.some(({ macAddress }) => macAddress === undefined))
      throw new Problem(400, 'crud', 'Session lookup failure');
    return targets;
  };
  return {
    apply: (targets) => inner.apply(needSession(targets)),
    clear: (targets) => inner.clear(needSession(targets)),
  };
});

const radiusFailure = () => new Problem(500, 'crud', 'Radius Failure');

/** The assignment is stored, and then no device answers. */
const ancradius = changing('anc', (inner) => ({
  apply: async (targets) => {
    await inner.apply(targets);
    throw radiusFailure();
  },
  clear: async (targets) => {
    await inner.clear(targets);
    throw radiusFailure();
  },
}));

export const OPERATION_RULES = { bulk, anc, ancsession, ancradius };
