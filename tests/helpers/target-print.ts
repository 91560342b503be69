import { FAMILIES } from '../../lib/contract/families.ts';

interface Login {
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
}

interface Envelope {
  readonly SearchResult?: { readonly resources?: readonly object[]; readonly nextPage?: { readonly href?: string } };
}

/** Everything that every family of a deployment lists, as one text; asked by plain fetch, so that no client of ours hides anything. */
export async function targetPrint({ baseUrl, username, password }: Login): Promise<string> {
  const headers = {
    Accept: 'application/json',
    Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
  };
  const lines: string[] = [];
  for (const family of Object.keys(FAMILIES)) {
    let next: string | undefined = `${baseUrl}/ers/config/${family}?size=100`;
    while (next !== undefined) {
      const answer = (await (await fetch(next, { headers })).json()) as Envelope;
      const { resources = [], nextPage } = answer.SearchResult ?? {};
      lines.push(...resources.map((record) => `${family} ${JSON.stringify(record)}`));
      next = nextPage?.href;
    }
  }
  return lines.sort().join('\n');
}
