import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** A certificate for 127.0.0.1 that is its own authority, and the file of it in a folder. */
export async function ownCertificate(folder: string) {
  const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keySize: 2048,
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, cert);
  return { key, cert, caFile };
}
