/** How long a look proves a record, or what an endpoint holds, in milliseconds: somebody else may change it meanwhile. */
export const PROOF_MS = 5000;
