import { createPrivateKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { describe, expect, it } from 'vitest';
import { targetConfig } from '../../cli/options/target.ts';
import { preflight } from '../../lib/client/http/preflight.ts';
import { defined } from '../../lib/defined.ts';
import type { HarnessError } from '../../lib/errors.ts';
import { aClient } from '../helpers/a-client.ts';
import { runCli, serveCli } from '../helpers/cli.ts';
import { folderOfTests } from '../helpers/folder.ts';
import { ofTests } from '../helpers/served.ts';

const DAY_MS = 86_400_000;
const common = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;

/** Files of an authority and of certificates that it signed: one that is valid, one that has expired, and one of another authority. */
async function clientCertificates(folder: string, passphrase: string) {
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

const PASSPHRASE = 'a passphrase of the test';
const scratch = folderOfTests();
const files = ofTests(() => clientCertificates(scratch, PASSPHRASE));
const server = ofTests(() => serveCli(['--tls', '--client-ca', files.ca, '--sessions', '400']));

/** A file that is no PEM, as one of PKCS #12 is none. */
function notPem(): string {
  const path = `${scratch}/own.p12`;
  writeFileSync(path, '0\u0082\t', { mode: 0o600 });
  return path;
}

/** What a first look with this certificate comes to: nothing, or its fault and what to do. */
async function said(cert: string | undefined, key: string | undefined, passphrase: string | undefined) {
  const login = { username: server.username, password: server.password };
  const env = defined({ ERS_KEY_PASSPHRASE: passphrase });
  try {
    const target = targetConfig(server.baseUrl, defined({ ca: server.caFile, cert, key }), login, env);
    await preflight(aClient(server.baseUrl, { target }).client);
    return '';
  } catch (fault) {
    const { message, hint } = fault as HarnessError;
    return `${message}\n${hint}`;
  }
}

const encrypted = () => [files.valid.cert, files.encryptedKey] as const;

describe.concurrent('a deployment that asks for a client certificate', () => {
  it('takes one that its authority signed, with an encrypted key', async () => {
    const where = ['--base-url', server.baseUrl, '--ca', server.caFile ?? ''];
    const { code, stdout, stderr } = await runCli(
      ['doctor', ...where, '--cert', files.valid.cert, '--key', files.encryptedKey],
      { env: { ...server.env, ERS_KEY_PASSPHRASE: PASSPHRASE } },
    );
    expect(code, stderr + stdout).toBe(0);
    expect(stdout + stderr).not.toContain(PASSPHRASE);
  });

  it('is loaded with one', async () => {
    const { cert, key } = files.valid;
    const own = ['--cert', cert, '--key', key, '--ca', server.caFile ?? '', '--base-url', server.baseUrl];
    const what = ['--operation', 'apply-by-mac', '--profile', '60k', '--duration', '2s', '--rate', '20'];
    const args = [...own, ...server.pool, ...what, '--connections', '10', '--out', `${scratch}/load`, '--quiet'];
    const { code, stdout, stderr } = await runCli(['load', ...args], { env: server.env });
    expect(code, stderr + stdout).not.toBe(2);
    expect(stdout + stderr).not.toMatch(/client certificate|refused|unreachable|tls/i);
  });

  it.each<
    [
      title: string,
      pair: () => readonly [cert: string | undefined, key: string | undefined],
      says: RegExp,
      passphrase?: string,
    ]
  >([
    ['none', () => [undefined, undefined], /may ask for a client certificate.*--cert and --key/],
    ['one of another authority', () => [files.foreign.cert, files.foreign.key], /or for another than that of --cert/],
    ['one that has expired', () => [files.expired.cert, files.expired.key], /is valid from .*, and not now/],
    ['one without its key', () => [files.valid.cert, undefined], /--cert needs --key/],
    ['one with another key', () => [files.valid.cert, files.foreign.key], /is not the key of --cert/],
    ['a PKCS #12 file', () => [notPem(), notPem()], /openssl pkcs12 -in FILE -out/],
    ['a key that others can read', () => [files.valid.cert, files.openKey], /can be read by others.*chmod 600/s],
    ['a key without its passphrase', encrypted, /is encrypted.*ERS_KEY_PASSPHRASE/s],
    ['a key with another passphrase', encrypted, /passphrase does not open it/, 'wrong'],
  ])('says what is wrong with %s', async (_title, pair, says, passphrase) => {
    expect(await said(...pair(), passphrase)).toMatch(says);
  });
});
