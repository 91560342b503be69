import { createHash } from 'node:crypto';
import { ANC_OPERATIONS, type AncOperation, type Deployment, PROFILES } from '../../lib/contract/anc.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { LIST_PARAMETERS, OPERATOR_NAMES, OPERATORS } from '../../lib/contract/list.ts';
import { OPS } from '../../lib/contract/operations.ts';
import { requirements } from '../../lib/contract/requirements.ts';
import type { FamilyTable } from '../../lib/contract/types.ts';
import { defined } from '../../lib/defined.ts';
import type { Catalogue } from '../../lib/records/run.ts';

/** What a run is judged with; `checks`: ids of all checks, in a run of checks. */
export function catalogueOf(table: FamilyTable, checks: readonly string[] = []): Catalogue {
  return {
    requirements: [...requirements(table)],
    families: Object.entries(table).map(([name, { versions, ops, filters, sorts }]) => ({
      ...{ name, versions: [...versions], operations: [...ops], filters: [...filters], sorts: [...sorts] },
    })),
    operators: [...OPERATOR_NAMES],
    operations: Object.entries(OPS).map(([name, { code, path, mutates }]) => ({ name, code, path, mutates })),
    anc: {
      operations: Object.entries<AncOperation>(ANC_OPERATIONS).map(([name, { specName, note }]) => ({
        ...{ name, specName, ...defined({ note }) },
      })),
      profiles: Object.entries<Deployment>(PROFILES).map(([name, { ancPerSecond, note }]) => ({
        ...{ name, perSecond: ancPerSecond, ...defined({ note }) },
      })),
    },
    checks: [...checks],
  };
}

export function specDigest(): string {
  const tables = { FAMILIES, OPS, OPERATORS, LIST_PARAMETERS, ANC_OPERATIONS, PROFILES };
  return createHash('sha256').update(JSON.stringify(tables)).digest('hex');
}
