import { OPS, PATH_PREFIX } from '../../contract/operations.ts';
import { defined } from '../../defined.ts';
import type { RunEnd } from '../../records/run.ts';
import { inert } from '../../text.ts';
import { uriPart } from '../../wire/query.ts';
import { ancFamilyOf } from '../anc/family.ts';
import { clearBody } from '../anc/state.ts';
import { recordPath } from '../safety/record-path.ts';
import type { ErsClient, OwnRecord, UnresolvedCreate } from '../types.ts';
import { curlCommand } from './curl-command.ts';

/** What a clean-up came to, as the record has it. */
export type Cleanup = RunEnd['cleanup'];

/** What is left on a target, with the command that removes it or shows it. */
export type Residue = Cleanup['residue'][number];

/** Stands where the id of what is left never became known. */
export const UNKNOWN_ID = '(not known)';

/** What is left of a record, with the command that removes it. */
export function recordResidue(client: ErsClient, record: OwnRecord): Residue {
  const command = curlCommand(client, OPS.delete.method, recordPath(record.family, record.id));
  return { ...record, command, ...defined({ why: client.closed(record.family) }) };
}

/** What is left in a family and cannot be named by an id, with the command that lists the family: a person has to look. */
export function unknownResidue(
  client: ErsClient,
  { family, name }: Pick<UnresolvedCreate, 'family' | 'name'>,
): Residue {
  const command = curlCommand(client, OPS.list.method, `${PATH_PREFIX}/${uriPart(family)}`);
  return { family, id: UNKNOWN_ID, name, command };
}

/** What is left of a record that a list goes on showing: it may be there, or the list may be wrong. */
export const listedResidue = (client: ErsClient, record: OwnRecord): Residue => ({
  ...recordResidue(client, record),
  why: 'a list shows it, and no read finds it',
});

/** What is left on an endpoint, with the command that clears it. */
export function endpointResidue(client: ErsClient, macAddress: string): Residue {
  const family = ancFamilyOf(client);
  const path = `${PATH_PREFIX}/${family}${OPS.clear.path}`;
  return {
    family,
    id: macAddress,
    command: curlCommand(client, OPS.clear.method, path, clearBody(client, macAddress)),
  };
}

/** Characters of a policy's name that a report shows. */
const LONGEST_POLICY = 100;

/** An endpoint of the pool that no write named, with a policy that is none of the run: nobody can tell who put it there. */
export function strayEndpoint(
  client: ErsClient,
  mac: string,
  policy: string,
): NonNullable<Cleanup['leftAlone']>[number] {
  const family = ancFamilyOf(client);
  const why = `it held no policy when the run began, and holds "${inert(policy, LONGEST_POLICY)}" now`;
  return { family, id: mac, why, command: curlCommand(client, OPS.list.method, `${PATH_PREFIX}/${uriPart(family)}`) };
}

/** Stands for the other endpoints of the pool where nobody can tell any more whether a policy landed on them. */
export function unknownHolders(client: ErsClient): Residue {
  const name = 'other endpoints of the pool: the list cannot be walked any more';
  return unknownResidue(client, { family: ancFamilyOf(client), name });
}
