import { FAMILIES } from '../../lib/contract/families.ts';

/** Where a deployment is, and how to log in to it. */
export interface Login {
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
}

interface Page {
  readonly total?: number;
  readonly resources?: readonly object[];
  readonly nextPage?: { readonly href?: string };
}

interface Envelope {
  readonly SearchResult?: Page;
}

/** What somebody else does on a deployment, by plain fetch, so that no client of ours hides anything. */
export function colleagueOn({ baseUrl, username, password }: Login) {
  const Authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const headers = { Authorization, Accept: 'application/json', 'Content-Type': 'application/json' };
  const ask = (path: string, method = 'GET', body?: object) =>
    fetch(path.startsWith('http') ? path : `${baseUrl}/ers/config/${path}`, {
      ...{ method, headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const list = async (path: string) => ((await (await ask(path)).json()) as Envelope).SearchResult ?? {};
  return {
    ask,
    list,
    /** Makes a security group; its id. */
    makes: async (Sgt: object) => (await ask('sgt', 'POST', { Sgt })).headers.get('location')?.split('/').at(-1) ?? '',
    applies(macAddress: string, policyName = '') {
      const additionalData = Object.entries({ macAddress, policyName }).map(([name, value]) => ({ name, value }));
      return ask('ancendpoint/apply', 'PUT', { OperationAdditionalData: { additionalData } });
    },
    /** How many endpoints hold a policy. */
    holding: async () => (await list('ancendpoint?size=1')).total ?? 0,
  };
}

/** Everything that every family of a deployment lists, as one text. */
export async function targetPrint(login: Login): Promise<string> {
  const { list } = colleagueOn(login);
  const lines: string[] = [];
  for (const family of Object.keys(FAMILIES)) {
    let next: string | undefined = `${family}?size=100`;
    while (next !== undefined) {
      const { resources = [], nextPage }: Page = await list(next);
      lines.push(...resources.map((record) => `${family} ${JSON.stringify(record)}`));
      next = nextPage?.href;
    }
  }
  return lines.sort().join('\n');
}
