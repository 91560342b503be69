import type { Op } from './types.ts';

/** Names that real clients give the items of `additionalData`; the specification does not show the item (gap G-03). */
export type AncItemName = 'macAddress' | 'ipAddress' | 'policyName';

/** One of the five ANC operations of section "Limits" and the request that carries it. */
export interface AncOperation {
  /** Name in the sentence above the limits table. */
  readonly specName: string;
  readonly op: Extract<Op, 'apply' | 'clear'>;
  readonly items: readonly AncItemName[];
  /** What a reader of the figures has to know about the wire form. */
  readonly note?: string;
}

const OPERATIONS = {
  'apply-by-mac': { specName: 'apply by MAC address', op: 'apply', items: ['macAddress', 'policyName'] },
  'clear-by-mac': { specName: 'clear by MAC address', op: 'clear', items: ['macAddress'] },
  'apply-by-ip': { specName: 'apply by IP address', op: 'apply', items: ['ipAddress', 'policyName'] },
  'apply-policy': {
    specName: 'apply policy',
    op: 'apply',
    items: ['macAddress', 'policyName'],
    note: 'has no path of its own: on the wire it is apply by MAC address',
  },
  'clear-policy': {
    specName: 'clear policy',
    op: 'clear',
    items: ['macAddress', 'policyName'],
    note: 'clears by MAC address and names the policy; there is no clear by IP address',
  },
} as const satisfies Readonly<Record<string, AncOperation>>;

export type AncOperationName = keyof typeof OPERATIONS;
export const ANC_OPERATIONS: Readonly<Record<AncOperationName, AncOperation>> = OPERATIONS;
export const ANC_OPERATION_NAMES = Object.keys(ANC_OPERATIONS) as readonly AncOperationName[];

/** One row of the limits table, as written. */
export interface Deployment {
  readonly nodes: number;
  readonly sessions: number;
  readonly ancPerSecond: number;
  /** Where the table is known to disagree with another publication of the same figure. */
  readonly note?: string;
}

/** Section "Limits": the three deployment sizes. */
export const PROFILES = {
  '60k': { nodes: 5, sessions: 60_000, ancPerSecond: 250 },
  '200k': { nodes: 9, sessions: 200_000, ancPerSecond: 250 },
  '500k': {
    nodes: 5,
    sessions: 500_000,
    ancPerSecond: 250,
    note: 'the specification says 5 nodes; the prose of the publisher says 9 nodes for this size',
  },
} as const satisfies Readonly<Record<string, Deployment>>;

export type ProfileName = keyof typeof PROFILES;
export const PROFILE_NAMES = Object.keys(PROFILES) as readonly ProfileName[];

/** The three chains over disjoint parts of the pool, in the order they run: what one cell applies the next one clears. */
export const ANC_CHAINS: readonly (readonly AncOperationName[])[] = [
  ['apply-by-mac', 'clear-by-mac'],
  ['apply-policy', 'clear-policy'],
  ['apply-by-ip'],
];
