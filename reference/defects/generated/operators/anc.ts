import type { AncTarget } from '../../../../lib/wire/anc.ts';
import type { Anc, Kit } from '../../../seams.ts';
import { areBy, cross, has, operators, recordsOf } from '../line.ts';

interface AncMistake {
  readonly title: string;
  readonly on: readonly ('apply' | 'clear')[];
  readonly by: readonly ('mac' | 'ip')[];
  readonly run: (about: {
    readonly anc: Anc;
    readonly op: 'apply' | 'clear';
    readonly targets: readonly AncTarget[];
    readonly kit: Kit;
    readonly family: string;
  }) => Promise<void>;
}

function neighborOf(address: string): string {
  const [separator, radix] = address.includes('.') ? ['.', 10] : [address.includes('-') ? '-' : ':', 16];
  const parts = address.split(separator);
  const last = (Number.parseInt(parts.at(-1) ?? '0', radix) + 7) % 250;
  const text = radix === 10 ? String(last) : last.toString(16).toUpperCase().padStart(2, '0');
  return [...parts.slice(0, -1), text].join(separator);
}

const moved = (target: AncTarget): AncTarget => ({
  ...target,
  ...(target.macAddress === undefined ? {} : { macAddress: neighborOf(target.macAddress) }),
  ...(target.ipAddress === undefined ? {} : { ipAddress: neighborOf(target.ipAddress) }),
});

const quietly = async (work: () => unknown) => {
  try {
    await work();
  } catch {
    // The endpoint was in that state already: nothing more to spoil.
  }
};

const otherPolicy = (kit: Kit, family: string, policy: string | undefined): string => {
  const known = recordsOf(kit, family).map((record) => String(record['policyName']));
  return known.find((name) => name !== policy) ?? 'OTHER_POLICY';
};

const BOTH = ['apply', 'clear'] as const;
const ANY_ADDRESS = ['mac', 'ip'] as const;

const ANCS: Readonly<Record<string, AncMistake>> = {
  undone: { title: 'does nothing', on: BOTH, by: ANY_ADDRESS, run: async () => undefined },
  'other-endpoint': {
    title: 'reaches another endpoint',
    on: ['apply'],
    by: ANY_ADDRESS,
    run: async ({ anc, op, targets }) => quietly(() => anc[op](targets.map(moved))),
  },
  'also-other': {
    title: 'reaches another endpoint too',
    on: BOTH,
    by: ANY_ADDRESS,
    run: async ({ anc, op, targets, kit, family }) => {
      await anc[op](targets);
      if (op === 'apply') return quietly(() => anc.apply(targets.map(moved)));
      const [other] = recordsOf(kit, family);
      if (other !== undefined) await kit.seams.store.remove(family, other.id);
    },
  },
  'other-policy': {
    title: 'stores another policy',
    on: ['apply'],
    by: ANY_ADDRESS,
    run: async ({ anc, targets, kit, family }) => {
      await anc.apply(targets);
      const newest = recordsOf(kit, family);
      for (const target of targets) {
        const policyName = otherPolicy(kit, family, target.policyName);
        const record =
          newest.find((each) => String(each['macAddress']).toUpperCase() === target.macAddress?.toUpperCase()) ??
          newest.at(-1);
        if (record !== undefined) await kit.seams.store.update(family, record.id, { policyName });
      }
    },
  },
  'policy-kept': {
    title: 'leaves the policy an endpoint holds where another is applied',
    on: ['apply'],
    by: ['mac'],
    run: async ({ anc, targets, kit, family }) => {
      const held = new Map(
        targets.map(({ macAddress = '' }) => [
          macAddress,
          kit.seams.store.find(family, 'macAddress', macAddress.toUpperCase()),
        ]),
      );
      await anc.apply(targets);
      for (const record of held.values())
        if (record !== undefined) await kit.seams.store.update(family, record.id, { policyName: record['policyName'] });
    },
  },
  'all-cleared': {
    title: 'clears every endpoint',
    on: ['clear'],
    by: ['mac'],
    run: async ({ anc, targets, kit, family }) => {
      await anc.clear(targets);
      for (const record of recordsOf(kit, family)) await kit.seams.store.remove(family, record.id);
    },
  },
  doubled: {
    title: 'makes a second record for the endpoint',
    on: ['apply'],
    by: ANY_ADDRESS,
    run: async ({ anc, targets, kit, family }) => {
      await anc.apply(targets);
      const newest = recordsOf(kit, family).at(-1);
      if (newest === undefined) return;
      const { id: _id, ...members } = newest;
      await kit.seams.store.create(family, members);
    },
  },
};

export const ANC = operators('anc', 'request', ANCS, (mistake) => ({
  title: ({ family, op, by }) => `${family}: ${op} by ${by} ${mistake.title}`,
  places: (table) =>
    cross(table, has('apply'), { op: mistake.on, by: mistake.by })
      // The specification names no clear by IP address.
      .filter(({ op, by }) => op === 'apply' || by === 'mac'),
  violates: () => ['SPC-ANC', 'SVC-1'],
  install: ({ family, op, by }, kit, watch, hit) => ({
    anc: (inner) => ({
      [String(op)]: async (targets: readonly AncTarget[]) => {
        const kind = op as 'apply' | 'clear';
        if (!areBy(targets, by) || !hit({ key: JSON.stringify(targets[0]) })) return inner[kind](targets);
        await mistake.run({ anc: inner, op: kind, targets, kit, family });
        watch.exposure.changed += 1;
      },
    }),
  }),
}));
