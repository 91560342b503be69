import { seededRandom } from '../../lib/random.ts';
import { BODIES } from './mutations/bodies.ts';
import { ECHO } from './mutations/echo.ts';
import { EFFECTS } from './mutations/effects.ts';
import { IDENTITY } from './mutations/identity.ts';
import { LISTS } from './mutations/lists.ts';
import { type Mutation, pick } from './mutations/mutation.ts';
import { TRANSPORT } from './mutations/transport.ts';

const GROUPS = [IDENTITY, LISTS, EFFECTS, BODIES, TRANSPORT, ECHO];
/** Every way to misbehave. */
export const MUTATIONS: readonly Mutation[] = GROUPS.flat();

/** A mutation that is switched on for one run. */
export interface Armed {
  readonly id: string;
  /** Answers it could change and leaves alone first. */
  readonly after: number;
  /** Answers it changes at most. */
  readonly most: number;
  /** Share of the answers it changes from then on. */
  readonly share: number;
  readonly seed: number;
}

export type RefereeMode = 'read-only' | 'own-data' | 'full' | 'load';

/** One run against one misbehaving deployment. */
export interface Scenario {
  readonly seed: number;
  readonly mode: RefereeMode;
  readonly families: readonly string[];
  readonly checks: readonly string[];
  readonly armed: readonly Armed[];
  /** Few checks, and no time for more: a run of about a second. */
  readonly small: boolean;
}

const WRITABLE = ['sgt', 'sgtvnvlan', 'sxpvpns', 'portaltheme', 'hotspotportal', 'mydeviceportal', 'byodportal'];
const CHECKS = [
  ...['record/', 'body/', 'list/', 'paging/', 'negative/', 'xml/'],
  ...['headers/', 'number/', 'concurrency/', 'sort/', 'paths/', 'schema/'],
];
/** Checks of a few requests each, of all subjects. */
const SMALL = [
  ...['record/create', 'record/update', 'record/delete', 'record/delete-unlists', 'record/created-is-listed'],
  ...['record/ids', 'record/visible-soon', 'record/long-text', 'number/generated', 'list/complete', 'list/served'],
  ...['paging/next', 'negative/unknown-id', 'xml/each-operation', 'schema/every-answer', 'headers/csrf-on-writes'],
];
const SMALL_ANC = ['operation/anc', 'anc/apply', 'anc/clear', 'bulk/submit', 'anc/csrf-header'];

function checksOf(random: () => number, mode: RefereeMode, isAnc: boolean, small: boolean): string[] {
  const some = (list: readonly string[]) => Array.from({ length: small ? 3 : 2 }, () => pick(random, list));
  if (isAnc) return small ? some(SMALL_ANC) : ['anc/', 'bulk/', 'record/'];
  // Every family is listed: a run without a check sends nothing.
  const chosen = small ? ['list/served', ...some(SMALL)] : [...some(CHECKS), 'record/'];
  return mode === 'full' ? [...chosen, small ? 'bulk/submit' : 'bulk/'] : chosen;
}

/** What a seed stands for. `small`: a few checks of one family, for runs of about a second. */
export function scenarioOf(seed: number, mode: RefereeMode, small: boolean): Scenario {
  const random = seededRandom(seed * 7919 + 17);
  const count = 1 + Math.floor(random() * 4);
  const armed = Array.from({ length: count }, (): Armed => {
    const { id } = pick(random, pick(random, GROUPS));
    const few = random() < 0.5;
    return {
      id,
      after: pick(random, small ? [0, 0, 1, 3, 10, 20] : [0, 0, 1, 3, 10, 40]),
      most: few ? pick(random, [1, 2, 5]) : 1_000_000,
      share: few ? 1 : pick(random, [0.05, 0.3, 1]),
      seed: Math.floor(random() * 2 ** 31),
    };
  });
  const families = mode === 'full' && random() < 0.7 ? ['ancendpoint'] : [pick(random, WRITABLE)];
  const checks = checksOf(random, mode, families[0] === 'ancendpoint', small);
  return { seed, mode, families, checks: [...new Set(checks)], armed, small };
}

export function describe({ seed, mode, families, checks, armed }: Scenario): string {
  const mutations = armed.map(
    ({ id, after, most, share }) => `${id} (after ${after}, at most ${most}, share ${share})`,
  );
  return `seed ${seed}, ${mode}, ${families.join('+')} ${checks.join(' ')}: ${mutations.join('; ')}`;
}
