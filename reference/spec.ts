import * as z from 'zod';
import { PROFILE_NAMES } from '../lib/contract/anc.ts';
import { choice, list, onOff, option, text, whole } from '../lib/option.ts';

export const ServeSpec = z.object({
  port: option('--port <n>', 'port; 0 takes a free one', whole(0, 65535).default(9060)),
  host: option('--host <address>', 'address to listen on', text().optional(), { otherwise: 'loopback' }),
  profile: option(
    '--profile <name>',
    `sessions it is seeded with: ${PROFILE_NAMES.join(', ')}`,
    choice(PROFILE_NAMES).default('60k'),
  ),
  sessions: option(
    '--sessions <n>',
    'number of sessions, instead of that of the profile',
    whole(1, 2_000_000).optional(),
    { help: 'all' },
  ),
  seed: option('--seed <n>', 'seed of generated records', whole(0, 0xffffffff).default(1), { help: 'all' }),
  tls: option(
    '--tls',
    'serve HTTPS with a generated certificate, and print the path of its authority file',
    onOff().default(false),
  ),
  clientCa: option(
    '--client-ca <file>',
    'ask clients for a certificate that this authority signed (PEM file); needs --tls',
    text().optional(),
    { path: true, help: 'all' },
  ),
  csrf: option('--csrf', 'require a CSRF token for writes', onOff().default(false), { help: 'all' }),
  faults: option(
    '--fault <fault>',
    'latency=200ms, stall=2s@10s, error=5%, status=503:1%, reset=1%, refuse=DELETE:405, no-store, no-store=10%, late-store=4s@2s, lost=0.5%, bucket=250/s,2000, stall=300ms/30s, collapse=200/s@-2s, rate=180/s, rate=180/s:apply; repeatable',
    list(text()).default([]),
    { otherwise: 'none' },
  ),
  defects: option('--defect <id>', 'seeded defect M01 to M60; repeatable', list(text()).default([]), {
    otherwise: 'none',
    help: 'all',
  }),
  variations: option('--variation <id>', 'allowed variation, such as V01; repeatable', list(text()).default([]), {
    otherwise: 'none',
    help: 'all',
  }),
  personas: option(
    '--persona <name>',
    'answer as the real product is known to: release 3.1, 3.3 or 3.5, or a single rule such as deletetype; -rule leaves one out; repeatable; docs/tables/personas.md lists the rules',
    list(text()).default([]),
    { otherwise: 'none' },
  ),
  nullTarget: option('--null-target <id>', 'answer like null target N01 to N10', text().optional(), { help: 'all' }),
  tied: option('--tied', 'end when standard input closes', onOff().default(false), { once: true, help: 'none' }),
});
export type ServeSpec = z.output<typeof ServeSpec>;
