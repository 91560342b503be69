import { X509Certificate } from 'node:crypto';
import { messageOf, UsageError } from '../../lib/errors.ts';
import { MIB, plainText } from '../../lib/plain-file.ts';

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** Text of a PEM file with certificates that can be read. Throws `UsageError` that says what else it is. */
export function readAuthority(path: string): string {
  let pem: string;
  try {
    pem = plainText(path, MIB);
  } catch (cause) {
    throw new UsageError('ca-file', `the certificate file ${path} cannot be read: ${messageOf(cause)}`, {
      cause,
      hint: 'use --ca to name a PEM file',
    });
  }
  const found = pem.match(CERTIFICATES) ?? [];
  if (found.length === 0) {
    throw new UsageError('ca-file', `${path} has no certificate in PEM form`, {
      hint: 'it must contain "-----BEGIN CERTIFICATE-----"; to convert a DER file: openssl x509 -inform der -in FILE -out ca.pem',
    });
  }
  try {
    for (const one of found) new X509Certificate(one);
  } catch (cause) {
    throw new UsageError('ca-file', `${path} holds a certificate that cannot be read: ${messageOf(cause)}`, {
      cause,
      hint: 'export the certificate authority of the deployment again, in PEM form',
    });
  }
  return pem;
}
