import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkNeeds, credentialsNeed, poolNeeds, profileNeed, targetNeed } from '../../../../cli/options/needs.ts';
import { targetConfig } from '../../../../cli/options/target.ts';
import { createCertificate } from '../../../../reference/http/certificate.ts';

const folder = mkdtempSync(join(tmpdir(), 'ers-target-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Message and hint of what the work throws; empty where it throws nothing. */
function refusal(work: () => unknown): string {
  try {
    work();
    return '';
  } catch (fault) {
    const { message, hint } = fault as { message: string; hint?: string };
    return `${message}\n${hint}`;
  }
}
const withUrl = (url: string) => refusal(() => targetConfig(url, {}, null));
const withAuthority = (ca: string) => refusal(() => targetConfig('https://a', { ca }, null));

describe('a target', () => {
  it.each([
    ['https://a:9060/ers/config', 'which every request adds already\ngive --base-url https://a:9060'],
    ['https://a/gateway/ers/config/sgt/', 'give --base-url https://a/gateway'],
    ['https://a/ers', 'give --base-url https://a'],
    ['https://a:9060/?size=1', 'give --base-url https://a:9060'],
    ['a:9060', 'is not an http or https URL'],
  ])('is refused where its URL is %s, with the right one', (url, expected) => {
    expect(withUrl(url)).toContain(expected);
  });

  it('is taken with a path before the interface', () => {
    expect(targetConfig('https://a/gateway/', {}, null).baseUrl).toBe('https://a/gateway');
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

describe('what is missing', () => {
  it('is reported together, each with what to do', () => {
    const needs = [targetNeed(undefined), profileNeed([]), ...poolNeeds({}), credentialsNeed({})];
    const said = refusal(() => checkNeeds(needs));
    expect(said).toContain('--base-url, --profile, --endpoints, --policy, credentials are missing');
    expect(said.split('\n')).toHaveLength(6);
    expect(refusal(() => checkNeeds([targetNeed('https://a')]))).toBe('');
  });
});
