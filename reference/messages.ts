/** Members of a body, without its root key. */
export type Fields = Readonly<Record<string, unknown>>;

/** A bulk request body, checked. */
export interface BulkRequest {
  /** As the client spelled it. */
  readonly operationType: string;
  readonly action: 'create' | 'update' | 'delete';
  readonly resourceMediaType: string;
  readonly resources: readonly Fields[];
  readonly ids: readonly string[];
}

export interface BulkResult {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly failure?: string;
}

/** What a monitor shows. */
export interface BulkState {
  readonly id: string;
  readonly family: string;
  readonly request: BulkRequest;
  readonly startedAt: Date;
  readonly done: boolean;
  readonly results: readonly BulkResult[];
}
