import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ownText } from '../../lib/client/http/credentials.ts';
import type { TargetSpec } from '../../lib/client/target-spec.ts';
import type { TargetConfig } from '../../lib/client/types.ts';
import { messageOf, UsageError } from '../../lib/errors.ts';
import { MIB, plainText } from '../../lib/plain-file.ts';

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** Text of a PEM file with certificates that can be read. Throws `UsageError` that says what else it is. */
export function readAuthority(path: string): string {
  try {
    const pem = plainText(path, MIB);
    const found = pem.match(CERTIFICATES) ?? [];
    if (found.length === 0) throw new Error('it has no certificate in PEM form');
    for (const one of found) new X509Certificate(one);
    return pem;
  } catch (cause) {
    throw new UsageError('ca-file', `--ca ${path}: the certificate cannot be read: ${messageOf(cause)}`, {
      cause,
      hint: 'name the authority of the deployment in PEM form; to convert a DER file: openssl x509 -inform der -in FILE -out ca.pem',
    });
  }
}

type ClientCertificate = NonNullable<TargetConfig['clientCertificate']>;
type Env = Readonly<Record<string, string | undefined>>;

/** First certificate of a PEM file, which has to be valid now. */
function readCertificate(path: string): readonly [pem: string, certificate: X509Certificate] {
  let pem: string;
  let certificate: X509Certificate;
  try {
    pem = readFileSync(path, 'utf8');
    certificate = new X509Certificate(pem);
  } catch (cause) {
    throw new UsageError('client-certificate', `--cert ${path}: no certificate can be read: ${messageOf(cause)}`, {
      hint: 'name a PEM file; of a PKCS #12 file, openssl pkcs12 -in FILE -out own.pem makes one that --cert and --key both name',
      cause,
    });
  }
  const { validFrom, validTo } = certificate;
  if (new Date(validFrom) > new Date() || new Date(validTo) < new Date())
    throw new UsageError('client-certificate', `--cert ${path} is valid from ${validFrom} to ${validTo}, and not now`, {
      hint: 'ask for a new one, or check the clock of this machine',
    });
  return [pem, certificate];
}

/** Private key of a PEM file that nobody else can read, without its passphrase. */
function readKey(path: string, { ERS_KEY_PASSPHRASE = '', ERS_KEY_PASSPHRASE_FILE = '' }: Env) {
  const pem = ownText(path, 'key');
  const given = ERS_KEY_PASSPHRASE_FILE === '' ? ERS_KEY_PASSPHRASE : ownText(ERS_KEY_PASSPHRASE_FILE, 'passphrase');
  const passphrase = given.replace(/\r?\n$/, '');
  try {
    return createPrivateKey({ key: pem, ...(passphrase === '' ? {} : { passphrase }) });
  } catch (cause) {
    if (/ENCRYPTED/.test(pem))
      throw new UsageError('client-certificate', `--key ${path} is encrypted, and the passphrase does not open it`, {
        hint: 'set ERS_KEY_PASSPHRASE, or ERS_KEY_PASSPHRASE_FILE to a file',
        cause,
      });
    throw new UsageError('client-certificate', `--key ${path}: no private key can be read: ${messageOf(cause)}`, {
      hint: 'name a PEM file',
      cause,
    });
  }
}

/** The certificate that the client shows, from `--cert` and `--key`. Undefined if none is named. Throws `UsageError`. */
export function readClientCertificate(
  { cert, key }: Partial<Pick<TargetSpec, 'cert' | 'key'>>,
  env: Env,
): ClientCertificate | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new UsageError('client-certificate', '--cert needs --key, and --key needs --cert', {
      hint: 'name both files',
    });
  const [certificate, parsed] = readCertificate(cert);
  const opened = readKey(key, env);
  if (!parsed.checkPrivateKey(opened))
    throw new UsageError('client-certificate', `--key ${key} is not the key of --cert ${cert}`, {
      hint: 'name the key it was made with',
    });
  return {
    certFile: cert,
    keyFile: key,
    certificate,
    key: opened.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
