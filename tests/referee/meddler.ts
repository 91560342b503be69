import { seededRandom } from '../../lib/random.ts';
import { macOf } from '../../lib/wire/endpoint.ts';
import { LOGIN, POOL_SIZE, type WatchedDeployment } from './deployment.ts';
import { type Asked, jsonIn, type Reply } from './exchange.ts';
import type { Mutation, World } from './mutations/mutation.ts';
import { type AuditingProxy, auditingProxy, type Meddler } from './proxy.ts';
import { type Armed, MUTATIONS } from './scenario.ts';
import { echoed } from './secrets.ts';

/** A mutation; `turn` counts an answer that it could change, and says whether it changes this one. */
function switched({ id, after, most, share, seed }: Armed) {
  const mutation = MUTATIONS.find((one) => one.id === id);
  if (mutation === undefined) throw new Error(`no mutation ${id}`);
  const chance = seededRandom(seed);
  let seen = 0;
  let done = 0;
  return {
    mutation,
    random: seededRandom(seed + 1),
    turn() {
      seen += 1;
      const on = chance() < share;
      if (seen <= after || done >= most || !on) return false;
      done += 1;
      return true;
    },
  };
}

const NAME = /"(?:name|sxpVpnName)"\s*:\s*"(cfm[^"]*)"/;

/** What a mutation makes of an answer; undefined where it leaves it, also where another one nested it too deep for it. */
async function changedBy({ answer }: Mutation, reply: Reply, asked: Asked, world: World): Promise<Reply | undefined> {
  try {
    return await answer?.(reply, asked, world);
  } catch (fault) {
    if (fault instanceof RangeError) return undefined;
    throw fault;
  }
}

/** A proxy that puts the armed mutations between a deployment and its client. */
export async function meddlingProxy(
  armed: readonly Armed[],
  deployment: WatchedDeployment,
  elsewhere: string,
): Promise<AuditingProxy> {
  /** Known late: the proxy has its port only when it listens. */
  let ownOrigin = '';
  const all = armed.map(switched);
  const told: { family: string; id: string }[] = [];
  const sentNames: string[] = [];
  const lastByOp = new Map<string, { readonly family: string; readonly reply: Reply }>();
  const worldFor = (random: () => number): World => ({
    random,
    foreignIds: (family) => deployment.before.filter((held) => held.family === family).map(({ record }) => record.id),
    colleague: async (family) => (await deployment.colleague(family))?.record.id,
    handOn: deployment.handOn,
    takeOver: deployment.takeOver,
    told,
    sentNames,
    elsewhere,
    ownOrigin,
    echo: (chance) => echoed(LOGIN, chance),
    otherAnswer: ({ op = '', family }) => {
      const last = lastByOp.get(op);
      return last === undefined || last.family === family ? lastByOp.get('version')?.reply : last.reply;
    },
    poolMacs: Array.from({ length: POOL_SIZE }, (_, index) => macOf(index)),
  });
  const learn = (asked: Asked, reply: Reply) => {
    const location = reply.headers['location'];
    if (asked.op === 'create' && typeof location === 'string')
      told.push({ family: asked.family, id: location.split('/').at(-1) ?? '' });
    if (asked.op !== undefined && jsonIn(reply) !== undefined && lastByOp.get(asked.op)?.family !== asked.family)
      lastByOp.set(asked.op, { family: asked.family, reply });
  };
  const meddler: Meddler = {
    before(asked) {
      const name = asked.op === 'create' ? NAME.exec(asked.body)?.[1] : undefined;
      if (name !== undefined) sentNames.push(name);
      let sent = asked;
      const mutations: string[] = [];
      for (const { mutation, turn, random } of all) {
        const { instead, request, on, id } = mutation;
        if ((instead === undefined && request === undefined) || !on(asked) || !turn()) continue;
        mutations.push(id);
        if (request !== undefined) sent = request(sent, worldFor(random));
        const answer = instead?.(asked, worldFor(random));
        if (answer !== undefined) return { asked: sent, instead: answer, mutations };
      }
      return { asked: sent, mutations };
    },
    async after(asked, given) {
      learn(asked, given);
      let reply = given;
      const mutations: string[] = [];
      for (const { mutation, turn, random } of all) {
        if (mutation.answer === undefined || !mutation.on(asked) || !turn()) continue;
        const changed = await changedBy(mutation, reply, asked, worldFor(random));
        if (changed === undefined) continue;
        reply = changed;
        mutations.push(mutation.id);
      }
      return { reply, mutations };
    },
  };
  const proxy = await auditingProxy(deployment.port, meddler);
  ownOrigin = proxy.baseUrl;
  return proxy;
}
