import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { bind } from '../../../../cli/options/bind.ts';
import { checkNeeds, loadPool, POOL, poolIn } from '../../../../cli/options/needs.ts';
import { targetConfig } from '../../../../cli/options/target.ts';
import { TargetSpec } from '../../../../lib/client/target-spec.ts';
import { createCertificate } from '../../../../reference/http/certificate.ts';
import { folderOfTests } from '../../../helpers/folder.ts';
import { refusal } from '../../../helpers/refusal.ts';

const folder = folderOfTests();

const told = (work: () => unknown) => {
  const { message, hint } = refusal(work);
  return `${message}\n${hint}`.trim();
};
const withUrl = (url: string) => told(() => targetConfig(url, {}, null));
const withAuthority = (ca: string) => told(() => targetConfig('https://a', { ca }, null));

describe('a target', () => {
  it.each([
    ['https://a:9060/ers/config', 'which every request adds already\ngive --base-url https://a:9060'],
    ['https://a/gateway/ers/config/sgt/', 'give --base-url https://a/gateway'],
    ['https://a/ers', 'give --base-url https://a'],
    ['https://a:9060/?size=1', 'give --base-url https://a:9060'],
    ['a:9060', 'is not an http or https URL\ngive --base-url https://a:9060'],
    ['http://a:99999', 'give the origin of the deployment'],
    ['ftp://a', 'give the origin of the deployment'],
    ['http://a b', 'give the origin of the deployment'],
    ['5', 'give the origin of the deployment'],
    ['http://::1:9060', 'IPv6 address in brackets'],
  ])('is refused where its URL is %s, with the right one', (url, expected) => {
    expect(withUrl(url)).toContain(expected);
  });

  it.each(['me:secret@host', 'ftp://me:secret@host/', 'https://me:secret@host:99999999', 'https://host/?token=secret'])(
    'shows no login of a URL that is refused, such as %s',
    (url) => {
      expect(withUrl(url)).not.toBe('');
      expect(withUrl(url)).not.toContain('secret');
    },
  );

  it('shows no login of a URL in a plan that is printed', async () => {
    const told: string[] = [];
    const schema = TargetSpec.pick({ baseUrl: true });
    const command = bind(new Command('load'), schema, ({ baseUrl }) => void told.push(baseUrl ?? ''));
    const parsed = command.parseAsync(['--base-url', 'https://me:secret@host', '--config', 'none'], { from: 'user' });
    await expect(parsed).rejects.toMatchObject({ code: 'credentials-in-url' });
    expect(told).toEqual([]);
  });

  it.each([
    ['https://10.1.2.3:9060', '10.0.0.0/8'],
    ['https://10.1.2.3:9060', '10.1.2.3:9060'],
    ['https://policy.example.com:9060', 'POLICY.Example.com.'],
    ['https://policy.example.com:9060', 'other, .example.COM'],
    ['https://policy.example.com', 'example.com:443'],
    ['https://[fd00::1]:9060', '[fd00::1]:9060'],
    ['https://[fd00::1]:9060', 'fd00::/8'],
  ])('%s goes past the proxy where NO_PROXY is %s', (url, exempt) => {
    const proxy = (env: NodeJS.ProcessEnv) =>
      targetConfig(url, {}, null, { HTTPS_PROXY: 'http://proxy:3128', ...env }).proxy;
    expect([proxy({}), proxy({ NO_PROXY: exempt })]).toEqual(['http://proxy:3128', undefined]);
    for (const other of ['10.1.2.4', '11.0.0.0/8', '10.1.2.3:443', 'policy.example.com:1', 'ample.com', 'fe80::/10'])
      expect(proxy({ NO_PROXY: other })).toBe('http://proxy:3128');
  });

  it.each(['proxy:3128', 'http://', 'http://me:secret@', 'socks5://me:secret@proxy', '::'])(
    'is refused where the proxy is %s, without showing it',
    (proxy) => {
      const said = told(() => targetConfig('https://a', {}, null, { HTTPS_PROXY: proxy }));
      expect(said).toContain('is not an http or https URL');
      expect(said).not.toContain('secret');
    },
  );

  it('gets no login over plain HTTP on another machine, unless that was asked for', () => {
    const to = (baseUrl: string, allowHttp = false) => targetConfig(baseUrl, { allowHttp }, null).baseUrl;
    expect(() => to('http://policy.example.com:9060')).toThrow('plain HTTP');
    expect(() => to('http://127.0.0.1.example.com')).toThrow('plain HTTP');
    expect(to('https://a/gateway/')).toBe('https://a/gateway');
    expect(to('http://policy.example.com:9060', true)).toBe('http://policy.example.com:9060');
    for (const own of ['localhost', '127.0.0.1:9060', '127.1.2.3', '[::1]']) expect(to(`http://${own}`)).toBeTruthy();
  });

  it('takes a certificate authority in PEM form and nothing else', async () => {
    const made = await createCertificate(undefined);
    expect(withAuthority(made.caFile)).toBe('');
    made.remove();
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    expect(withAuthority(file('text', 'not a certificate'))).toContain('has no certificate in PEM form');
    const cut = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
    expect(withAuthority(file('cut', cut))).toContain('cannot be read');
    expect(withAuthority(join(folder, 'none'))).toContain('cannot be read');
  });
});

it('what is missing is reported together, each with what to do', () => {
  const needs = ['--base-url', '--profile', ...POOL, 'credentials'] as const;
  const said = told(() => checkNeeds({ profiles: [], environment: {} }, needs));
  expect(said).toContain('--base-url, --profile, --endpoints, --policy, credentials are missing');
  expect(said.split('\n')).toHaveLength(6);
  expect(told(() => checkNeeds({ baseUrl: 'https://a' }, ['--base-url']))).toBe('');
});

const endpoints = '02:00:00:00:00:00+10@10.0.0.0';

it('policies that are named are one for a load, and as many as wanted for the checks', () => {
  const options = { endpoints, policies: ['One', 'Two'] };
  expect(() => loadPool(options)).toThrow('a load applies one policy, and --policy names 2');
  expect(loadPool({ endpoints, policies: ['One'] }).policy).toBe('One');
  expect(poolIn('full', options)?.policies).toEqual(['One', 'Two']);
});
