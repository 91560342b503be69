import type { NamedPool } from '../../lib/client/anc/pool.ts';
import type { TargetConfig } from '../../lib/client/types.ts';
import type { AncOperationName } from '../../lib/contract/anc.ts';
import type { EndpointPart, ScenarioCell } from '../../lib/wire/scenario.ts';

export interface CellPool extends EndpointPart {
  readonly source: NamedPool['source'];
}

export interface CellSpec
  extends Omit<ScenarioCell, 'pool'>,
    Pick<TargetConfig, 'baseUrl' | 'credentials' | 'caFile' | 'insecure'> {
  readonly operation: AncOperationName;
  readonly pool: CellPool;
  /** PEM texts that the client shows; like credentials they go to no record. */
  readonly clientCertificate?: { readonly certificate: string; readonly key: string };
  /** k6 processes that carry the arrivals together, with one common start; one unless set. */
  readonly segments?: number;
  /** Further outputs of k6, as k6 takes them with --out; the samples stay on its standard output. */
  readonly k6Outputs?: readonly string[];
  /** Tags on what goes to those outputs; few values each, because every combination is a time series. */
  readonly k6Tags?: Readonly<Record<string, string>>;
}
