import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../lib/random.ts';
import type { JournalEntry } from '../../lib/records/conformance.ts';
import type { Mode } from '../../lib/records/vocabulary.ts';
import { DEFECTS } from '../../reference/defects/table.ts';
import { startReference } from '../../reference/server.ts';
import { runAgainst } from '../helpers/conformance-run.ts';
import { type Passed, recordingProxy } from '../helpers/recording-proxy.ts';
import { TAKES_ALL } from '../helpers/sample.ts';
import { targetPrint } from '../helpers/target-print.ts';

/** All defects on more families with ERS_TEST_DEFECTS=all; a seeded sample otherwise. */
const FAMILIES = ['sxpvpns', 'ancendpoint', ...(TAKES_ALL ? ['portal', 'sgt', 'sgtvnvlan', 'hotspotportal'] : [])];
const SAMPLE = 1;

function defects(): string[] {
  const all = DEFECTS.map(({ id }) => id);
  if (TAKES_ALL) return all;
  const random = seededRandom(11);
  return Array.from({ length: SAMPLE }, () => all.splice(Math.floor(random() * all.length), 1)[0] ?? '');
}

interface Watched {
  readonly passed: readonly Passed[];
  readonly journal: readonly JournalEntry[];
  /** Ids that the deployment listed before the run. */
  readonly foreign: ReadonlySet<string>;
}

async function watch(defect: string, mode: Mode): Promise<Watched> {
  const server = await startReference({ sessions: 500, defects: [defect] });
  const login = { username: server.username, password: server.password };
  const listed = await targetPrint({ baseUrl: server.baseUrl, ...login }).catch(() => '');
  const journal: JournalEntry[] = [];
  const proxy = await recordingProxy(server.baseUrl, () => journal.length);
  try {
    await runAgainst(
      { baseUrl: proxy.baseUrl, credentials: login, onJournal: (entry) => journal.push(entry) },
      { mode, seed: 3, families: FAMILIES, visibilityMs: 300, depth: 'quick' },
    );
  } finally {
    await proxy.close();
    await server.close();
  }
  const foreign = new Set([...listed.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id ?? ''));
  return { passed: proxy.passed, journal, foreign };
}

function holds(body: string, text: string): boolean {
  const plain = body.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  return [text, JSON.stringify(text).slice(1, -1)].some((form) => plain.includes(form));
}

/** Writes that the journal did not hold when they were sent, or that went to what the run had not made. */
function strayWrites({ passed, journal, foreign }: Watched): string[] {
  return passed
    .filter(({ method }) => method !== 'GET')
    .filter(({ method, path, body, journaled }) => {
      const [, , , family = '', segment, more] = path.split('?')[0]?.split('/').map(decodeURIComponent) ?? [];
      const before = journal.slice(0, journaled).filter((entry) => entry.family === family);
      if (more !== undefined) return true;
      if (segment === undefined) {
        return !(
          method === 'POST' &&
          before.some(({ event, name }) => event === 'intent' && (name === undefined || holds(body, name)))
        );
      }
      const intended = before.some(({ event, id }) => event === 'intent' && id === segment);
      return !intended || foreign.has(segment);
    })
    .map(({ method, path }) => `${method} ${path}`);
}

describe.concurrent.each(defects())('a deployment with the defect %s, watched by a proxy', (defect) => {
  it('gets nothing but GET in read-only mode', async () => {
    const { passed, journal } = await watch(defect, 'read-only');
    expect(passed.length).toBeGreaterThan(100);
    expect(passed.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(journal).toEqual([]);
  });

  it('gets no write in own-data mode that the journal did not hold before, and none to a record that was there', async () => {
    const watched = await watch(defect, 'own-data');
    expect(strayWrites(watched)).toEqual([]);
    expect(watched.passed.filter(({ method }) => method !== 'GET').length).toBeGreaterThan(20);
  });
});
