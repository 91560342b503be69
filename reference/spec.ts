import * as z from 'zod';
import { PROFILE_NAMES } from '../lib/contract/anc.ts';
import { option } from '../lib/option.ts';
import { choice, list, onOff, text, whole } from '../lib/option-values.ts';

/** The embedded deployment: every option with its bounds, default and description. */
export const ServeSpec = z.object({
  port: option({ flag: '--port <n>', text: 'port; 0 takes a free one' }, whole(0, 65535).default(9060)),
  host: option({ flag: '--host <address>', text: 'address to listen on', otherwise: 'loopback' }, text().optional()),
  profile: option(
    { flag: '--profile <name>', text: `sessions it is seeded with: ${PROFILE_NAMES.join(', ')}` },
    choice(PROFILE_NAMES).default('60k'),
  ),
  sessions: option(
    { flag: '--sessions <n>', text: 'number of sessions, instead of that of the profile', help: 'all' },
    whole(1, 2_000_000).optional(),
  ),
  seed: option({ flag: '--seed <n>', text: 'seed of generated records', help: 'all' }, whole(0, 0xffffffff).default(1)),
  tls: option(
    { flag: '--tls', text: 'serve HTTPS with a generated certificate, and print the path of its authority file' },
    onOff().default(false),
  ),
  clientCa: option(
    {
      flag: '--client-ca <file>',
      text: 'ask clients for a certificate that this authority signed (PEM file); needs --tls',
      path: true,
      help: 'all',
    },
    text().optional(),
  ),
  csrf: option({ flag: '--csrf', text: 'require a CSRF token for writes', help: 'all' }, onOff().default(false)),
  faults: option(
    {
      flag: '--fault <fault>',
      text: 'latency=200ms, stall=2s@10s, error=5%, status=503:1%, reset=1%, refuse=DELETE:405, no-store, no-store=10%, late-store, late-store=4s@2s, lost=0.5%, bucket=250/s,2000, stall=300ms/30s, collapse=200/s@-2s, rate=180/s, rate=180/s:apply; repeatable',
      otherwise: 'none',
    },
    list(text()).default([]),
  ),
  defects: option(
    { flag: '--defect <id>', text: 'seeded defect M01 to M60; repeatable', otherwise: 'none', help: 'all' },
    list(text()).default([]),
  ),
  variations: option(
    { flag: '--variation <id>', text: 'allowed variation V01 to V25; repeatable', otherwise: 'none', help: 'all' },
    list(text()).default([]),
  ),
  personas: option(
    {
      flag: '--persona <name>',
      text: 'answer as the real product is known to: release 3.1, 3.3 or 3.5, or a single rule such as deletetype; -rule leaves one out; repeatable; docs/personas.md lists the rules',
      otherwise: 'none',
    },
    list(text()).default([]),
  ),
  nullTarget: option(
    { flag: '--null-target <id>', text: 'answer like null target N01 to N10', help: 'all' },
    text().optional(),
  ),
  tied: option(
    { flag: '--tied', text: 'end when standard input closes', once: true, help: 'none' },
    onOff().default(false),
  ),
});
export type ServeSpec = z.output<typeof ServeSpec>;
