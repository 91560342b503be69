import { vendorFacts } from '../../lib/contract/vendor.ts';
import type { Fields } from '../seams.ts';

/** Member by which a record is named: the first that must differ between records. */
export const nameMember = (family: string): string => vendorFacts(family).unique?.[0] ?? 'name';

/** Name of a record; empty if it has none. */
export const nameOf = (family: string, record: Fields): string => String(record[nameMember(family)] ?? '');
