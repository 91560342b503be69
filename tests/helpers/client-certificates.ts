import { createPrivateKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';

const DAY_MS = 86_400_000;
const common = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;

/** Files of an authority and of certificates that it signed: one that is valid, one that has expired, and one of another authority. */
export async function clientCertificates(folder: string, passphrase: string) {
  const authority = (name: string) =>
    generate([{ name: 'commonName', value: name }], {
      ...common,
      extensions: [
        { name: 'basicConstraints', cA: true, critical: true },
        { name: 'keyUsage', keyCertSign: true, critical: true },
      ],
    });
  const file = (name: string, text: string, mode = 0o600): string => {
    writeFileSync(join(folder, name), text, { mode });
    return join(folder, name);
  };
  const [ours, theirs] = [await authority('clients'), await authority('others')];
  const client = async (name: string, by: typeof ours, days: number) => {
    const made = await generate([{ name: 'commonName', value: name }], {
      ...common,
      ...{ notBeforeDate: new Date(Date.now() - 3 * DAY_MS), notAfterDate: new Date(Date.now() + days * DAY_MS) },
      ca: { key: by.private, cert: by.cert },
      extensions: [{ name: 'extKeyUsage', clientAuth: true }],
    });
    return { cert: file(`${name}.pem`, made.cert), key: file(`${name}.key`, made.private), pem: made.private };
  };
  const valid = await client('valid', ours, 2);
  const encrypted = createPrivateKey(valid.pem).export({
    ...{ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase },
  });
  return {
    ca: file('clients-ca.pem', ours.cert),
    valid,
    expired: await client('expired', ours, -1),
    foreign: await client('foreign', theirs, 2),
    encryptedKey: file('encrypted.key', encrypted.toString()),
    openKey: file('open.key', valid.pem, 0o644),
  };
}
