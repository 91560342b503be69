import { describe, expect, it } from 'vitest';
import { isLoopback, targetConfig } from '../../../../cli/options/target.ts';

const LOGIN = { username: 'tester', password: 'secret-word-1' };

describe('a login over plain HTTP', () => {
  it('is refused to another machine, unless it was asked for', () => {
    const to = (baseUrl: string, allowHttp = false) => targetConfig(baseUrl, { allowHttp }, LOGIN, {}).baseUrl;
    expect(() => to('http://policy.example.com:9060')).toThrow('plain HTTP');
    expect(() => to('http://127.0.0.1.example.com')).toThrow('plain HTTP');
    expect(to('http://policy.example.com:9060', true)).toBe('http://policy.example.com:9060');
    expect(to('https://policy.example.com:9060')).toBe('https://policy.example.com:9060');
    expect(to('http://127.0.0.1:9060')).toBe('http://127.0.0.1:9060');
  });

  it.each(['localhost', '127.0.0.1', '127.1.2.3', '[::1]'])('may go to %s', (host) => {
    expect(isLoopback(host)).toBe(true);
  });
});
