import { FAMILIES } from '../../lib/contract/families.ts';

/** Where a deployment is, and how to log in to it. */
export interface Login {
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
}

interface Envelope {
  readonly SearchResult?: { readonly resources?: readonly object[]; readonly nextPage?: { readonly href?: string } };
}

/** The header by which a login is sent. */
export const authorization = ({ username, password }: Login): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** Everything that every family of a deployment lists, as one text; asked by plain fetch, so that no client of ours hides anything. */
export async function targetPrint(login: Login): Promise<string> {
  const headers = { Accept: 'application/json', Authorization: authorization(login) };
  const lines: string[] = [];
  for (const family of Object.keys(FAMILIES)) {
    let next: string | undefined = `${login.baseUrl}/ers/config/${family}?size=100`;
    while (next !== undefined) {
      const answer = (await (await fetch(next, { headers })).json()) as Envelope;
      const { resources = [], nextPage } = answer.SearchResult ?? {};
      lines.push(...resources.map((record) => `${family} ${JSON.stringify(record)}`));
      next = nextPage?.href;
    }
  }
  return lines.sort().join('\n');
}
