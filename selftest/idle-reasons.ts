/** Why a check that kills none of the seeded defects is there all the same; id of the check → reason. */
export const IDLE_REASONS: Readonly<Record<string, string>> = {};
