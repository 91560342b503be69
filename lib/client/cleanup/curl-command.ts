import { curlParts, shellQuoted } from '../../curl.ts';
import { defined } from '../../defined.ts';
import type { ErsClient } from '../types.ts';

/** A curl line that a person can run against the target of a client to remove or to find what a run left. */
export function curlCommand(client: ErsClient, method: string, path: string, body?: string): string {
  const { baseUrl, insecure, caFile, clientCertificate: own } = client.options.target;
  const flags = [
    ...(insecure === true ? ['--insecure'] : []),
    ...(caFile === undefined ? [] : ['--cacert', shellQuoted(caFile)]),
    ...(own === undefined ? [] : ['--cert', shellQuoted(own.certFile), '--key', shellQuoted(own.keyFile)]),
  ];
  const json = 'application/json';
  const headers = [
    ['Accept', json],
    ['Content-Type', json],
  ] as const;
  const url = shellQuoted(baseUrl.replace(/\/+$/, '') + path);
  return curlParts({ flags, method, headers, url, ...defined({ body }) }).join(' ');
}
