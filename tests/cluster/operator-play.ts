import { setTimeout } from 'node:timers/promises';
import { TestRun } from '../helpers/test-run-schema.ts';
import type { ControlPlane } from './control-plane.ts';
import { K6_PORT, podTemplate, type Role } from './runner-pod.ts';

const POLL_MS = 300;

/** A TestRun as the API server shows it. */
interface Shown {
  readonly metadata: { readonly name: string; readonly uid: string; readonly labels: unknown };
  readonly spec: unknown;
  readonly status?: { readonly stage?: string };
}

export interface PlayOptions {
  /** Runners that no start request reaches, by their place. */
  readonly forgets?: readonly number[];
}

/** The manifest that was applied, without what the API server adds. */
const manifestOf = ({ metadata: { name, labels }, spec }: Shown) =>
  TestRun.parse({ apiVersion: 'k6.io/v1alpha1', kind: 'TestRun', metadata: { name, labels }, spec });

interface Items<T> {
  readonly items: readonly T[];
}

/**
 * Plays the k6-operator, which is no part of any registry: makes the jobs and services of each TestRun as a version does, from the
 * reading of its source, asks the runners, and says the stage. Everything else about them is real: controllers, scheduler, and the processes.
 */
export function playOperator(plane: ControlPlane, options: PlayOptions = {}): { readonly stop: () => Promise<void> } {
  const get = <T>(kind: string, cell: string) =>
    JSON.parse(plane.kubectl(['get', kind, '-l', `k6_cr=${cell}`, '-o', 'json'])) as Items<T>;
  const say = (cell: string, stage: string) =>
    plane.kubectl(['patch', 'testrun', cell, '--type=merge', '-p', JSON.stringify({ status: { stage } })]);

  function make(shown: Shown, role: Role, index: number, hosts: readonly string[] = []): void {
    const manifest = manifestOf(shown);
    const { name: of, uid } = shown.metadata;
    const name = role === 'runner' ? `${of}-${index + 1}` : `${of}-${role}`;
    const template = podTemplate(manifest, role, index, { hosts });
    const owner = { apiVersion: 'k6.io/v1alpha1', kind: 'TestRun', name: of, uid, controller: true };
    const metadata = { name, labels: template.metadata.labels, ownerReferences: [owner] };
    const items: object[] = [{ apiVersion: 'batch/v1', kind: 'Job', metadata, spec: { backoffLimit: 0, template } }];
    if (role === 'runner') {
      const spec = { ports: [{ name: 'http-api', port: K6_PORT }], selector: { 'job-name': name } };
      const service = { ...metadata, name: `${of}-service-${index + 1}` };
      items.push({ apiVersion: 'v1', kind: 'Service', metadata: service, spec });
    }
    plane.kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  }

  type Job = { readonly metadata: { readonly name: string }; readonly status: { succeeded?: number; failed?: number } };
  const ended = ({ status: { succeeded = 0, failed = 0 } }: Job) => succeeded + failed > 0;
  const answers = (host: string) =>
    fetch(`http://${host}:${K6_PORT}/v1/status`).then(
      ({ status }) => status < 400,
      () => false,
    );

  /** One step of a TestRun, as far as its jobs are. */
  async function advance(shown: Shown): Promise<void> {
    const { name } = shown.metadata;
    const places = Array.from({ length: manifestOf(shown).spec.parallelism }, (_, index) => index);
    const jobs = get<Job>('jobs', name).items;
    const stage = shown.status?.stage ?? '';
    if (stage === '') {
      make(shown, 'initializer', 0);
      say(name, 'initialization');
    } else if (stage === 'initialization' && jobs.some(ended)) {
      say(name, jobs.some(({ status }) => status.succeeded) ? 'initialized' : 'error');
    } else if (stage === 'initialized') {
      for (const index of places) make(shown, 'runner', index);
      say(name, 'created');
    } else if (stage === 'created') {
      const runners = get<{ status: { phase: string } }>('pods', `${name},runner=true`).items;
      if (runners.filter(({ status }) => status.phase === 'Running').length !== places.length) return;
      const services = get<{ spec: { clusterIP: string } }>('services', name).items;
      const addresses = services.map(({ spec }) => spec.clusterIP);
      if ((await Promise.all(addresses.map(answers))).includes(false)) return;
      const hosts = addresses.filter((_, at) => !options.forgets?.includes(at));
      make(shown, 'starter', 0, hosts);
      say(name, 'started');
    } else if (stage === 'started') {
      const runners = jobs.filter(({ metadata }) => /-\d+$/.test(metadata.name));
      if (runners.length > 0 && runners.every(ended)) say(name, 'finished');
    }
  }

  let isOver = false;
  const play = async () => {
    while (!isOver) {
      const { items } = JSON.parse(plane.kubectl(['get', 'testruns', '-o', 'json'])) as Items<Shown>;
      for (const shown of items) {
        try {
          await advance(shown);
        } catch (fault) {
          // A cell that is deleted meanwhile is gone in the middle of a step; the next look tells.
          if (!isOver) console.log(`operator: ${fault instanceof Error ? fault.message.slice(0, 400) : fault}`);
        }
      }
      await setTimeout(POLL_MS);
    }
  };
  const played = play();
  return {
    stop: async () => {
      isOver = true;
      await played;
    },
  };
}
