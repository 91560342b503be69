import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { PROFILES } from '../lib/contract/anc.ts';
import { FAMILIES } from '../lib/contract/families.ts';
import type { FamilyTable } from '../lib/contract/types.ts';
import { defined } from '../lib/defined.ts';
import { messageOf, UsageError } from '../lib/errors.ts';
import { DEFECTS } from './defects/table.ts';
import { createDeployment, POLICIES } from './deployment.ts';
import { changing, chosen, type Deviation } from './deviation.ts';
import { parseFaults } from './faults/faults.ts';
import { createCertificate } from './http/certificate.ts';
import { createApp, listen } from './http/listen.ts';
import { NULL_TARGETS } from './null-targets/table.ts';
import { chosenRules } from './personas/personas.ts';
import type { ServeSpec } from './spec.ts';
import { VARIATIONS } from './variations/table.ts';

/** Wrong logins that are answered at once, when none came for a while. */
const FREE = 5;
/** Time that each further one waits, one after the other. */
const PAUSE_MS = 500;
const LONGEST_MS = 30_000;

/** Answers to wrong logins come at most twice a second, one after the other; right ones never wait. */
export function slowRefusals(now: () => number = () => performance.now()): Deviation {
  return changing('front', (inner, { wait }) => {
    let turn = Number.NEGATIVE_INFINITY;
    return {
      handle: async (call) => {
        const answer = await inner.handle(call);
        if (answer.status !== 401) return answer;
        turn = Math.min(Math.max(turn, now() - FREE * PAUSE_MS) + PAUSE_MS, now() + LONGEST_MS);
        if (turn > now()) await wait(turn - now());
        return answer;
      },
    };
  });
}

type Served = { readonly [Name in keyof Omit<ServeSpec, 'tied'>]?: Readonly<NonNullable<ServeSpec[Name]>> };

/** How to run the embedded deployment: what the command takes, and what only a program gives. */
export interface ReferenceOptions extends Served {
  /** Deviations that are in no table, outside all others. */
  readonly deviations?: readonly Deviation[];
  readonly credentials?: { readonly username: string; readonly password: string };
  readonly table?: FamilyTable;
}

function deviationsOf(options: ReferenceOptions): readonly Deviation[] {
  return [
    slowRefusals(),
    ...chosenRules(options.personas ?? []),
    ...chosen('variation', VARIATIONS, options.variations ?? []),
    ...chosen('defect', DEFECTS, options.defects ?? []),
    ...chosen('null target', NULL_TARGETS, options.nullTarget === undefined ? [] : [options.nullTarget]),
    ...parseFaults(options.faults ?? []),
    ...(options.deviations ?? []),
  ];
}

/** Text of the authority of client certificates. Throws `UsageError` if the file cannot be read, or TLS is off. */
function clientAuthority({ clientCa, tls }: ReferenceOptions): string | undefined {
  if (clientCa === undefined) return undefined;
  if (tls !== true) throw new UsageError('client-ca', '--client-ca needs --tls', { hint: 'add --tls' });
  try {
    return readFileSync(clientCa, 'utf8');
  } catch (cause) {
    throw new UsageError('client-ca', `--client-ca ${clientCa} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** Starts the embedded deployment. Throws `UsageError` for an unknown defect, variation, fault or null target, or a taken port. */
export async function startReference(options: ReferenceOptions = {}) {
  const deviations = deviationsOf(options);
  const profile = options.profile ?? '60k';
  const sessions = options.sessions ?? PROFILES[profile].sessions;
  const credentials = options.credentials ?? {
    username: 'ers-admin',
    password: randomBytes(18).toString('base64url'),
  };
  const deployment = createDeployment({
    table: options.table ?? FAMILIES,
    sessions,
    seed: options.seed ?? 1,
    csrf: options.csrf === true,
    credentials,
    deviations,
  });
  const scheme = options.tls === true ? 'https' : 'http';
  const certificate = options.tls === true ? await createCertificate(options.host) : undefined;
  const clientCa = clientAuthority(options);
  const app = createApp(deployment.seams, scheme);
  const { host, port, close } = await listen(app.fetch as Parameters<typeof listen>[0], {
    port: options.port ?? 0,
    connections: deployment.seams.dialect.connections,
    ...defined({ host: options.host, certificate, clientCa }),
  });
  return {
    baseUrl: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    /** PEM file of the authority, with TLS. */
    ...defined({ caFile: certificate?.caFile }),
    ...credentials,
    /** In the syntax of --endpoints. */
    endpoints: deployment.endpoints,
    policies: POLICIES as readonly string[],
    ...{ profile, sessions },
    requests: deployment.requests,
    records: deployment.records,
    close: async (): Promise<void> => {
      await close();
      certificate?.remove();
    },
  };
}
export type ReferenceServer = Awaited<ReturnType<typeof startReference>>;
