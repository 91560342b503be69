import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ControlPlane } from './control-plane.ts';
import { startLogged } from './logged-program.ts';
import { type PlayOptions, playOperator } from './operator-play.ts';

/** Path of the operator's program, where the caller has one. */
export const OPERATOR = process.env['ERS_K6_OPERATOR'];

const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
/** Puts the files of a service account where every pod finds them, in a mount namespace of its own, and starts the program. */
const AS_IN_A_POD =
  'mount -t tmpfs account /var/run && mkdir -p "$1" && cp "$2/token" "$2/ca.crt" "$2/namespace" "$1" && exec "$3"';

/** An operator that works on the TestRuns of a control plane. */
export interface Operator {
  readonly stop: () => Promise<void>;
}

function start({ address, env }: ControlPlane, program: string, home: string): Operator {
  const account = join(home, 'account');
  mkdirSync(account, { recursive: true });
  writeFileSync(join(account, 'token'), address.token, { mode: 0o600 });
  writeFileSync(join(account, 'namespace'), 'load');
  copyFileSync(address.certificate, join(account, 'ca.crt'));
  const args = ['--mount', 'sh', '-c', AS_IN_A_POD, 'sh', ACCOUNT, account, program];
  const where = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(address.port) };
  const all = { PATH: env['PATH'] ?? '', HOME: home, ...where };
  return { stop: startLogged(join(home, 'operator.log'), 'unshare', args, all) };
}

export function operatorOf(plane: ControlPlane, home: string, options: PlayOptions = {}): Operator {
  return OPERATOR === undefined ? playOperator(plane, options) : start(plane, OPERATOR, home);
}
