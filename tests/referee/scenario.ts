import { seededRandom } from '../../lib/random.ts';
import { BODIES } from './mutations/bodies.ts';
import { ECHO } from './mutations/echo.ts';
import { EFFECTS } from './mutations/effects.ts';
import { IDENTITY } from './mutations/identity.ts';
import { LISTS } from './mutations/lists.ts';
import { type Mutation, pick } from './mutations/mutation.ts';
import { TRANSPORT } from './mutations/transport.ts';

/** Every way to misbehave. */
export const MUTATIONS: readonly Mutation[] = [...IDENTITY, ...LISTS, ...EFFECTS, ...BODIES, ...TRANSPORT, ...ECHO];

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
}

const WRITABLE = ['sgt', 'sgtvnvlan', 'sxpvpns', 'portaltheme', 'hotspotportal', 'mydeviceportal', 'byodportal'];
const CHECKS = [
  'record/',
  'body/',
  'list/',
  'paging/',
  'negative/',
  'xml/',
  'headers/',
  'number/',
  'concurrency/',
  'sort/',
  'paths/',
  'schema/',
];
const SMALL = ['record/', 'number/', 'concurrency/', 'list/', 'paging/', 'schema/'];

/** What a seed stands for. `small`: a few checks of one family, for runs of about a second. */
export function scenarioOf(seed: number, mode: RefereeMode, small: boolean): Scenario {
  const random = seededRandom(seed * 7919 + 17);
  const count = 1 + Math.floor(random() * 4);
  const groups = [IDENTITY, LISTS, EFFECTS, BODIES, TRANSPORT, ECHO];
  const armed = Array.from({ length: count }, (): Armed => {
    const { id } = pick(random, pick(random, groups));
    const few = random() < 0.5;
    return {
      id,
      after: pick(random, [0, 0, 1, 3, 10, 40]),
      most: few ? pick(random, [1, 2, 5]) : 1_000_000,
      share: few ? 1 : pick(random, [0.05, 0.3, 1]),
      seed: Math.floor(random() * 2 ** 31),
    };
  });
  const families = mode === 'full' && random() < 0.7 ? ['ancendpoint'] : [pick(random, WRITABLE)];
  const checks = small ? [pick(random, SMALL), 'record/'] : [pick(random, CHECKS), pick(random, CHECKS), 'record/'];
  const wide =
    families[0] === 'ancendpoint' ? ['anc/', 'bulk/', 'record/'] : mode === 'full' ? [...checks, 'bulk/'] : checks;
  return { seed, mode, families, checks: [...new Set(wide)], armed };
}

/** A scenario in one line. */
export function describe({ seed, mode, families, checks, armed }: Scenario): string {
  const mutations = armed.map(
    ({ id, after, most, share }) => `${id} (after ${after}, at most ${most}, share ${share})`,
  );
  return `seed ${seed}, ${mode}, ${families.join('+')} ${checks.join(' ')}: ${mutations.join('; ')}`;
}
