export interface Assumption {
  readonly id: string;
  readonly text: string;
  readonly reason: string;
  readonly source: string;
}
export const ASSUMPTIONS: readonly Assumption[] = [];
