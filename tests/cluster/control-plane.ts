import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { vi } from 'vitest';
import { openTestRuns } from './cluster-objects.ts';
import { startLogged } from './logged-program.ts';
import type { Parts } from './parts.ts';

const TOKEN = 'test-cluster';
const READY_MS = 120_000;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Starts etcd, the API server, the controllers and the scheduler on the loopback interface. */
export async function startControlPlane({ servers }: Parts, home: string) {
  const stops: (() => Promise<void>)[] = [];
  const start = (name: keyof Parts['servers'], args: readonly string[]) => {
    stops.push(startLogged(join(home, `${name}.log`), servers[name], args));
  };
  const [etcd, peer, api = 0, controllers, scheduler] = await Promise.all(Array.from({ length: 5 }, freePort));
  const certificates = join(home, 'certificates');
  const write = (name: string, text: string) => {
    writeFileSync(join(home, name), text, { mode: 0o600 });
    return join(home, name);
  };
  mkdirSync(home, { recursive: true });
  start('etcd', [
    `--data-dir=${join(home, 'etcd')}`,
    ...['listen', 'advertise'].map((kind) => `--${kind}-client-urls=http://127.0.0.1:${etcd}`),
    `--listen-peer-urls=http://127.0.0.1:${peer}`,
    '--unsafe-no-fsync',
  ]);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = write('service-account.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  start('kube-apiserver', [
    `--etcd-servers=http://127.0.0.1:${etcd}`,
    ...['--bind-address=127.0.0.1', `--secure-port=${api}`, `--cert-dir=${certificates}`],
    `--token-auth-file=${write('tokens.csv', `${TOKEN},admin,admin,system:masters\n`)}`,
    ...[`--service-account-key-file=${key}`, `--service-account-signing-key-file=${key}`],
    ...['--service-account-issuer=https://test-cluster', '--service-cluster-ip-range=127.96.0.0/16'],
    '--kubelet-preferred-address-types=InternalIP',
    ...['--endpoint-reconciler-type=none', '--authorization-mode=RBAC'],
    // Nobody says that the nodes are well, and no pod needs an account.
    '--disable-admission-plugins=ServiceAccount,TaintNodesByCondition',
  ]);
  const config = write(
    'kubeconfig',
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'test',
      clusters: [{ name: 'test', cluster: { server: `https://127.0.0.1:${api}`, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'test', user: { token: TOKEN } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test', namespace: 'load' } }],
    }),
  );
  /** Environment in which kubectl talks to it. */
  const env = { KUBECONFIG: config, PATH: process.env['PATH'] ?? '', HOME: home };
  /** Runs kubectl with a text on standard input; throws with what it said where it fails. */
  const kubectl = (args: readonly string[], input = '') =>
    execFileSync('kubectl', args, { env, input, encoding: 'utf8', timeout: 60_000, stdio: ['pipe', 'pipe', 'pipe'] });
  const stop = async () => {
    for (const each of stops.reverse()) await each();
  };
  await vi
    .waitFor(() => kubectl(['get', '--raw', '/readyz']), { timeout: READY_MS, interval: 500 })
    .catch(async (fault) => {
      await stop();
      throw fault;
    });
  const common = [`--kubeconfig=${config}`, '--leader-elect=false', '--bind-address=127.0.0.1'];
  start('kube-controller-manager', [
    ...[...common, `--secure-port=${controllers}`, `--cert-dir=${home}`],
    '--controllers=*,-node-lifecycle-controller',
  ]);
  start('kube-scheduler', [...common, `--secure-port=${scheduler}`, `--cert-dir=${home}`]);
  /** How a program in a pod would reach it: port on 127.0.0.1, token, and file with its certificate. */
  const address = { port: api, token: TOKEN, certificate: join(certificates, 'apiserver.crt') };
  return { env, kubectl, address, stop };
}
/** A running control plane without nodes of its own. */
export type ControlPlane = Awaited<ReturnType<typeof startControlPlane>>;

/** Makes TestRuns known: as the operator defines them, or of any fields where its definitions are not at hand. */
export async function defineTestRuns({ kubectl }: ControlPlane, { crds }: Parts): Promise<void> {
  if (crds === undefined) kubectl(['apply', '-f', '-'], openTestRuns());
  else kubectl(['apply', '--server-side', '-f', crds]);
  // A definition without a status yet makes `kubectl wait` fail at once.
  const wait = ['wait', '--for=condition=Established', 'crd/testruns.k6.io', '--timeout=5s'];
  await vi.waitFor(() => kubectl(wait), { timeout: 30_000, interval: 250 });
}

/** How the stand-in for the kubelets is started. */
export interface KubeletOptions {
  readonly program: string;
  /** The k6 of the image. */
  readonly k6: string;
  readonly nodes: number;
  /** Addresses on this machine that pods reach, `host:port`. */
  readonly reach: readonly string[];
  readonly home: string;
}

/** Starts the stand-in for the kubelets, whose nodes run what is bound to them. */
export async function startKubelets({ env }: ControlPlane, options: KubeletOptions): Promise<() => Promise<void>> {
  const { program, k6, nodes, reach, home } = options;
  mkdirSync(home, { recursive: true });
  const args = { kubeconfig: env['KUBECONFIG'], home, k6, nodes, port: await freePort(), reach: reach.join(',') };
  const given = Object.entries(args).map(([name, value]) => `--${name}=${value}`);
  return startLogged(join(home, 'kubelets.log'), program, given);
}

/** A node that nobody runs: pods are bound to it and stay as they are told to be. */
export function nodeManifest(name: string): string {
  const resources = { cpu: '4', memory: '8Gi', pods: '20' };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name } },
    status: {
      capacity: resources,
      allocatable: resources,
      conditions: [{ type: 'Ready', status: 'True', reason: 'Ready', message: 'ready' }],
    },
  });
}
