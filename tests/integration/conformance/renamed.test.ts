import { expect, it } from 'vitest';
import { pairChecks } from '../../../conformance/checks/pairs.ts';
import { recordChecks } from '../../../conformance/checks/record/checks.ts';
import { startReference } from '../../../reference/server.ts';
import { runAgainst } from '../../helpers/conformance-run.ts';
import { colleagueOn } from '../../helpers/target-print.ts';

it('records of the run that an administrator renames meanwhile accuse no operation', async () => {
  const server = await startReference({ sessions: 100 });
  const credentials = { username: server.username, password: server.password };
  const { ask } = colleagueOn(server);
  let [shown, renamed] = [0, 0];
  const own = new Set<string>();
  const rename = async (id: string, name: string) => {
    const read = await ask(`sgt/${id}`);
    if (read.status !== 200) return;
    const { Sgt } = (await read.json()) as { Sgt: Record<string, unknown> };
    const { link: _, ...record } = Sgt;
    const put = await ask(`sgt/${id}`, 'PUT', { Sgt: { ...record, name } });
    if (put.ok) renamed += 1;
  };
  const busy: Promise<void>[] = [];
  try {
    const run = await runAgainst(
      {
        ...{ baseUrl: server.baseUrl, credentials, catalog: [...recordChecks, ...pairChecks] },
        onJournal: ({ event, family, id }) => {
          if (event === 'created' && family === 'sgt' && id !== undefined) own.add(id);
        },
        onExchange: ({ operation, path, status }) => {
          const id = path.split('/').at(-1) ?? '';
          if (operation !== 'read' || status !== 200 || !own.delete(id)) return;
          shown += 1;
          if (shown % 4 === 1) busy.push(rename(id, `adm${shown}`));
        },
      },
      { mode: 'own-data', seed: 1, visibilityMs: 60, depth: 'quick', families: ['sgt'], retry: true },
    );
    expect(renamed).toBeGreaterThan(10);
    expect(run.written.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    const told = run.written.filter(({ reason }) => reason?.startsWith('somebody else wrote to sgt '));
    expect(told.map(({ verdict }) => verdict)).toContain('inconclusive');
  } finally {
    await Promise.allSettled(busy);
    await server.close();
  }
});
