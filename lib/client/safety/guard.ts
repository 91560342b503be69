import { PATH_PREFIX } from '../../contract/operations.ts';
import { UsageError } from '../../errors.ts';
import type { Mode } from '../../records/vocabulary.ts';
import type { EndpointPool } from '../types.ts';
import { decodedSegment, isAmbiguousSegment } from './record-path.ts';
import { type AncTargets, ancBody, ancTargets } from './targets.ts';

/** What a request that is not a GET would do, read from its method and path alone. */
export type Write =
  | { readonly kind: 'create'; readonly family: string }
  | { readonly kind: 'record'; readonly family: string; readonly id: string; readonly removes: boolean }
  | ({ readonly kind: 'apply' | 'clear'; readonly family: string } & AncTargets)
  | ({ readonly kind: 'bulk'; readonly family: string } & AncTargets)
  | { readonly kind: 'other'; readonly why: string };

/** What the guard knows when it decides. */
export interface GuardState {
  readonly mode: Mode;
  /** True for ids this run created, removed ones among them. */
  readonly owns: (family: string, id: string) => boolean;
  readonly pool: EndpointPool | undefined;
  readonly policies: readonly string[] | undefined;
}

const OVERRIDES = /^x-(http-)?method(-override)?$/i;

/** Classifies a request; null for a plain GET. An override header makes a GET a write of unknown effect. */
export function classifyWrite(request: {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}): Write | null {
  if (Object.keys(request.headers).some((name) => OVERRIDES.test(name))) {
    return { kind: 'other', why: 'overrides its method by a header' };
  }
  if (request.method === 'GET') return null;
  const path = request.path.split(/[?#]/)[0] ?? '';
  if (!path.startsWith(`${PATH_PREFIX}/`)) return { kind: 'other', why: `writes outside ${PATH_PREFIX}` };
  const parts = path
    .slice(PATH_PREFIX.length + 1)
    .replace(/\/$/, '')
    .split('/');
  if (parts.some(isAmbiguousSegment)) {
    return { kind: 'other', why: 'has a path that servers may read in more than one way' };
  }
  const [family = '', second, third, ...rest] = parts.map(decodedSegment) as string[];
  if (second === undefined) {
    if (request.method === 'POST') return { kind: 'create', family };
    return { kind: 'other', why: `sends ${request.method} to a whole family` };
  }
  if (third === undefined && (second === 'apply' || second === 'clear')) {
    const targets = ancBody(request.body ?? '');
    if (targets !== undefined) return { kind: second, family, ...targets };
    return { kind: 'other', why: `asks for ${second} with a body that names its endpoints in no certain way` };
  }
  if (second === 'bulk' && third === 'submit' && rest.length === 0)
    return { kind: 'bulk', family, ...ancTargets(request.body ?? '') };
  if (third !== undefined) return { kind: 'other', why: 'names no record of the tables' };
  return { kind: 'record', family, id: second, removes: request.method === 'DELETE' };
}

function refusal(what: string, hint: string): UsageError {
  return new UsageError('refused-by-mode', `refused before it was sent: ${what}`, { hint });
}

function refuseAnc(write: AncTargets & { readonly kind: string }, state: GuardState): UsageError | null {
  if (state.mode !== 'full') return refusal(`${write.kind} in mode ${state.mode}`, 'ANC writes need --mode full');
  const foreign = write.endpoints.find((address) => state.pool?.has(address) !== true);
  if (foreign !== undefined) {
    return refusal(`${write.kind} on ${foreign}, which is not in the pool`, 'name the endpoints with --endpoints');
  }
  const policy = write.policies.find((name) => state.policies?.includes(name) !== true);
  if (policy === undefined) return null;
  return refusal(`${write.kind} of policy "${policy}", which was not named`, 'name the policy with --policy');
}

/** The fault with which a write is refused; null where the mode allows it. */
export function refuseWrite(write: Write, state: GuardState): UsageError | null {
  if (state.mode === 'read-only') {
    return refusal('a write in mode read-only', 'type --mode own-data or --mode full to let the run write');
  }
  switch (write.kind) {
    case 'create':
      return null;
    case 'record':
      if (state.owns(write.family, write.id)) return null;
      return refusal(
        `a write to ${write.family} ${write.id}, which this run did not create`,
        'only own records are written',
      );
    case 'apply':
    case 'clear':
      return refuseAnc(write, state);
    case 'bulk':
      if (state.mode !== 'full') return refusal(`bulk in mode ${state.mode}`, 'bulk needs --mode full');
      return write.endpoints.length === 0 ? null : refuseAnc(write, state);
    case 'other':
      return refusal(`a request that ${write.why}`, 'no mode allows it');
  }
}
