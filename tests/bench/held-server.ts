import { FAMILIES } from '../../lib/contract/families.ts';
import { ipOf, macOf } from '../../lib/wire/endpoint.ts';
import { createDeployment, POLICIES } from '../../reference/deployment.ts';
import { createApp } from '../../reference/http/app.ts';
import { listen } from '../../reference/http/listen.ts';

/** The reference deployment with this many sessions, of which the first so many already hold a policy. */
const [sessions = 0, held = 0] = process.argv.slice(2).map(Number);
const deployment = createDeployment({
  table: FAMILIES,
  sessions,
  seed: 1,
  csrf: false,
  credentials: { username: 'bench', password: 'bench' },
  deviations: [],
});
const policyName = POLICIES[0];
for (let index = 0; index < held; index += 1) {
  const [macAddress, ipAddress] = [macOf(index), ipOf(index)];
  await deployment.seams.store.create('ancendpoint', { name: macAddress, macAddress, ipAddress, policyName });
}
const { port } = await listen(createApp(deployment.seams, 'http').fetch as Parameters<typeof listen>[0], {
  port: 0,
  host: '127.0.0.1',
});
process.stdout.write(`${JSON.stringify({ port, policyName })}\n`);
process.stdin.once('end', () => process.exit(0)).resume();
process.once('SIGTERM', () => process.exit(0));
