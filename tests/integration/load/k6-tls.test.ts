import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderOfTests } from '../../helpers/folder.ts';
import { aSpec, runCellOf } from '../../helpers/k6-run.ts';

const folder = folderOfTests();

let baseUrl = '';
let caFile = '';
let server: ReturnType<typeof createServer>;

beforeAll(async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
    ],
  });
  server = createServer({ key, cert }, (request, response) => {
    request.resume().on('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  baseUrl = `https://localhost:${(server.address() as AddressInfo).port}`;
  caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, cert);
}, 120_000);
afterAll(() => server.close());

const short = { durationSeconds: 1, ratePerSecond: 50, connections: 10 };

describe('a target with a certificate of a private authority', () => {
  it('is refused by k6 without that authority', async () => {
    const { failures, counts } = await runCellOf(aSpec(baseUrl, short));
    expect(failures).toMatchObject([{ kind: 'transport', count: counts.started }]);
    expect(failures[0]?.example).toMatch(/certificate|x509/);
  });

  it('is accepted with its certificate file, and with the flag that accepts any', async () => {
    expect((await runCellOf(aSpec(baseUrl, { ...short, caFile }))).failures).toEqual([]);
    expect((await runCellOf(aSpec(baseUrl, { ...short, insecure: true }))).failures).toEqual([]);
  });
});
