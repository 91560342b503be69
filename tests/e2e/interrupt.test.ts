import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunEnd } from '../../lib/records/run.ts';
import { runCli, type ServedDeployment, scratchFolder, serveCli } from '../helpers/cli.ts';

/** Names of all records of a family, by the harness's independent way: plain fetch. */
async function listed(served: ServedDeployment, family: string): Promise<string> {
  const login = Buffer.from(`${served.env['ERS_USERNAME']}:${served.env['ERS_PASSWORD']}`).toString('base64');
  const response = await fetch(`${served.baseUrl}/ers/config/${family}?size=100`, {
    headers: { Accept: 'application/json', Authorization: `Basic ${login}` },
  });
  return response.text();
}

describe('Ctrl-C', () => {
  const folder = scratchFolder();
  let served: ServedDeployment;

  beforeAll(async () => {
    // Slow enough that there is a middle to interrupt.
    served = await serveCli(['--sessions', '9000', '--fault', 'latency=30ms']);
  });

  afterAll(async () => {
    await served.close();
    folder.remove();
  });

  it('during conformance removes the records that the run made and ends with 130', async () => {
    const before = await listed(served, 'sgt');
    const out = join(folder.path, 'conformance');
    const journal = join(out, 'journal.ndjson');
    let interrupted = false;
    const { code } = await runCli(
      ['conformance', '--base-url', served.baseUrl, '--mode', 'own-data', '--family', 'sgt', '--out', out],
      {
        env: served.env,
        onLine: (_line, child) => {
          if (interrupted) return;
          interrupted = true;
          const poll = setInterval(() => {
            try {
              if (readFileSync(journal, 'utf8').split('"created"').length < 4) return;
            } catch {
              return;
            }
            clearInterval(poll);
            child.kill('SIGINT');
          }, 20);
          child.once('close', () => clearInterval(poll));
        },
      },
    );
    expect(code).toBe(130);
    const end = RunEnd.parse(JSON.parse(readFileSync(join(out, 'end.json'), 'utf8')));
    expect(end.signal).toBe('SIGINT');
    expect(end.cleanup.created).toBeGreaterThan(0);
    expect(end.cleanup.residue).toEqual([]);
    expect(await listed(served, 'sgt')).toBe(before);
  });

  it('during load clears the endpoints that the run touched and ends with 130', async () => {
    const before = await listed(served, 'ancendpoint');
    const out = join(folder.path, 'load');
    const args = [
      'load',
      '--base-url',
      served.baseUrl,
      '--profile',
      '60k',
      '--operation',
      'apply-by-mac',
      '--rate',
      '50',
      '--duration',
      '20s',
    ];
    const pool = ['--endpoints', served.endpoints, '--policy', served.policies[0] ?? '', '--out', out];
    let timer: NodeJS.Timeout | undefined;
    const { code } = await runCli([...args, ...pool], {
      env: served.env,
      onLine: (line, child) => {
        if (timer === undefined && /apply-by-mac/.test(line)) timer = setTimeout(() => child.kill('SIGINT'), 4000);
      },
    });
    expect(code).toBe(130);
    expect(await listed(served, 'ancendpoint')).toBe(before);
  });
});
