import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const VALID_DAYS = 30;

/** A fresh authority and a certificate for the loopback names and a further host, signed by it. */
export async function createCertificate(host: string | undefined) {
  // Loaded where it is needed: it takes longer than the rest of the deployment.
  const { generate } = await import('selfsigned');
  const notAfterDate = new Date(Date.now() + VALID_DAYS * 86_400_000);
  const common = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256', notAfterDate } as const;
  const authority = await generate([{ name: 'commonName', value: 'ers-harness reference authority' }], {
    ...common,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const named = host === undefined ? [] : [host];
  const isAddress = (name: string) => /^[\d.]+$|:/.test(name);
  const server = await generate([{ name: 'commonName', value: 'localhost' }], {
    ...common,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: ['localhost', '127.0.0.1', '::1', ...named].map((name) =>
          isAddress(name) ? { type: 7 as const, ip: name } : { type: 2 as const, value: name },
        ),
      },
    ],
  });
  const folder = mkdtempSync(join(tmpdir(), 'ers-harness-ca-'));
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.cert);
  return {
    key: server.private,
    chain: `${server.cert.trim()}\n${authority.cert.trim()}\n`,
    caFile,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
/** Key and chain of a server, and the file of the authority that vouches for it. */
export type Certificate = Awaited<ReturnType<typeof createCertificate>>;
