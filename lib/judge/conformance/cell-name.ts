import type * as z from 'zod';
import { ownRows } from '../../contract/own-rows.ts';
import type { Coverage } from '../../records/conformance.ts';

/** Operations that a requirement of the section "Special paths" is about. */
export const SPECIAL_PATHS: Readonly<Record<string, readonly string[]>> = ownRows({
  'SPC-BULK': ['bulkSubmit', 'bulkMonitor'],
  'SPC-ANC': ['apply', 'clear'],
  'SPC-VER': ['version'],
  'SPC-NODE': ['readByName'],
});

/** Name of a covered cell without the family that may stand before it: `family.name.EQ` and `name.EQ` are one. */
export function cellName(family: string, { cell }: z.infer<typeof Coverage>): string {
  return cell.startsWith(`${family}.`) ? cell.slice(family.length + 1) : cell;
}
