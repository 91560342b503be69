import { FAMILIES } from './families.ts';
import { GAPS } from './gaps.ts';
import { OPERATORS } from './list.ts';
import { OPS, PATH_PREFIX } from './operations.ts';
import type { Family, FamilyTable, Op } from './types.ts';

/** How strongly the specification binds; it caps the verdict (fail, warn, info, info). */
export type Level = 'stated' | 'implied' | 'gap' | 'advice';

/** Something the specification binds somebody to, in our own words. */
export interface Requirement {
  readonly id: string;
  /** Heading of the specification that it comes from. */
  readonly section: string;
  readonly text: string;
  readonly level: Level;
  /** Why no check of the conformance runner can decide it. */
  readonly untestable?: string;
}

const stated = (id: string, section: string, text: string, untestable?: string): Requirement => ({
  id,
  section,
  text,
  level: 'stated',
  ...(untestable === undefined ? {} : { untestable }),
});

const implied = (id: string, section: string, text: string, untestable?: string): Requirement => ({
  ...stated(id, section, text, untestable),
  level: 'implied',
});

const advice = (id: string, section: string, text: string): Requirement => ({ id, section, text, level: 'advice' });

const LIST = 'List query parameters';
const CONVENTIONS = 'Conventions shared by all operations';
const RESOURCES = 'Resources and their fields';
const ENDPOINTS = 'Operations per family';
const SPECIAL = 'Special paths';

const GENERAL: readonly Requirement[] = [
  stated(
    'SVC-1',
    'What the service does',
    'records can be created, read, updated, deleted and listed, and what one operation did the others show',
  ),
  stated('SVC-2', CONVENTIONS, `every path is below ${PATH_PREFIX} at the base URL`),
  stated('RES-ID', RESOURCES, 'every id is a string, names one record and stays the same'),
  stated('RES-NAMES', RESOURCES, 'fields have exactly the listed names, propogateToApic in that spelling included'),
  stated('RES-ROOT', RESOURCES, 'a body is one JSON object with the one root key of its family and operation'),
  stated('RES-TYPE', RESOURCES, 'a listed field has the type its table gives'),
  stated('RES-PTYPE', RESOURCES, 'portalType is one of the six listed values'),
  stated('RES-SGTVAL', RESOURCES, 'a security group takes any value from 2 to 65519, and generates one for -1'),
  stated('LIM-SGT', 'Limits', 'a security group never has a value outside 2 to 65519'),
  stated('RES-MAC', RESOURCES, 'macAddress is written in hexadecimal pairs separated by colons'),
  stated('RES-ANC', RESOURCES, 'an ANC endpoint has a name, a macAddress and a policyName'),
  stated('RES-TEL', RESOURCES, 'telemetry information has a name'),
  stated(
    'CNV-HDR',
    CONVENTIONS,
    'the four request headers are optional: an operation works with and without each that it accepts',
  ),
  stated(
    'CNV-XML',
    CONVENTIONS,
    'a body is read as XML when Content-Type contains application/xml, and as JSON otherwise',
  ),
  stated('CNV-VERB', CONVENTIONS, 'update and bulk submit are PUT, create is POST'),
  stated('CNV-UNSET', CONVENTIONS, 'a JSON body holds only the fields that were supplied'),
  stated('PAY-C', SPECIAL, 'a create takes every listed field except id, and stores it'),
  stated('PAY-U', SPECIAL, 'an update takes every listed field and id, and stores it'),
  stated('PAY-ID', SPECIAL, 'a create that may carry an id accepts one'),
  stated('LST-ENV', LIST, 'a list answer is a SearchResult with its resources'),
  stated('LST-PAGE', LIST, 'page selects a page of the list: the pages together hold every record once'),
  stated('LST-SIZE', LIST, 'size is the number of records on a page'),
  stated(
    'LST-NEXT',
    LIST,
    'nextPage.href addresses the next page of the same query, and following it reads the whole list',
  ),
  stated('LST-SORT', LIST, 'sortasc and sortdsc order the whole list by the field they name'),
  stated('LST-FILT', LIST, 'a filter is field, operator and value separated by dots, and may be repeated'),
  stated('LST-FTYPE', LIST, 'repeated filters are joined by AND, and by OR when filterType is or'),
  stated('LST-DATE', LIST, 'date columns are filtered in the form DD-MON-YY', 'no family lists a date field'),
  stated('LST-NOSORT', ENDPOINTS, 'lists without sort fields take page, size, filter and filterType'),
  stated('VIEW-PORTAL', 'What the service does', 'the generic portal family shows all portals and changes none'),
  stated('SPC-NODE', SPECIAL, 'a node is read by name and by id, and both show the same node'),
  stated('SPC-VER', SPECIAL, 'every family answers versioninfo with its version information, not with a record'),
  stated(
    'SPC-BULK',
    SPECIAL,
    'a bulk request is submitted, can be monitored by its id, and does what it was asked for',
  ),
  stated('SPC-ANC', SPECIAL, 'apply puts a policy on an endpoint and clear takes it away'),
  stated(
    'AUTH-CSRF',
    'Authentication',
    'single-resource, list, create, update, delete, apply and clear operations accept X-CSRF-TOKEN',
  ),
  stated(
    'LIM-ANC',
    'Limits',
    'each ANC operation holds 250 transactions per second in each deployment size',
    'proven by load, not by a conformance check',
  ),
  stated(
    'VER-GROUP',
    'Versioning',
    'a family is served by the version groups its row names',
    'the specification shows no way to ask for a version group (gap G-15)',
  ),
  stated('VER-PATH', 'Versioning', 'paths carry no version segment'),
  // "are passed through" binds the client or the service, the sentence does not say which: it caps at a warning.
  stated('CNV-EXTRA', CONVENTIONS, 'query parameters the specification does not name may be added to any operation'),
  implied(
    'VIEW-RO',
    'What the service does',
    'a family that has no create, update or delete takes no writes',
    'needs writes to records that the run did not make, and no answer to them is shown (gap G-12)',
  ),
  implied('ATOM-1', ENDPOINTS, 'a reader sees a record as one write left it, never a mixture of two'),
  implied('FRESH-1', ENDPOINTS, 'a write is visible to later reads within a short time'),
  implied('LIST-GET', ENDPOINTS, 'a list and a read of the same record agree'),
  implied('NEG-404', ENDPOINTS, 'an id that names no record is refused'),
  implied('NEG-BODY', RESOURCES, 'a body that is not of the listed form is refused and changes nothing'),
  implied(
    'NEG-FILTER',
    LIST,
    'a filter on an unlisted field or with an unknown operator does not answer with unrelated records',
  ),
  advice('ADV-5XX', 'Errors', 'bad input is answered with a client error, not with a server error'),
  advice('ADV-ERR', 'Errors', 'an error answer has a body that names the mistake'),
  advice('ADV-LEAK', 'Errors', 'an answer shows no stack trace and no credentials'),
];

/** Id of the requirement that a family has an operation: one row of the operations table. */
export function opRequirementId(family: string, op: Op): string {
  return `OP-${family}-${OPS[op].code}`;
}

/** What the published definition of an imported family states: operations, fields and types. All else is implied there. */
const DEFINED = /^(?:OP|FLD)-|^RES-(?:TYPE|NAMES|ROOT)$/;

/** Level of a requirement in one family: the specification states things of its own families alone. */
export function levelIn(family: Family | undefined, requirement: string, level: Level): Level {
  return family?.imported !== undefined && level === 'stated' && !DEFINED.test(requirement) ? 'implied' : level;
}

function familyRequirements(family: Family): Requirement[] {
  const section = family.imported === undefined ? ENDPOINTS : `Published definition ${family.imported}`;
  const rows = family.ops.map((op) => {
    const { method, path } = OPS[op];
    return stated(
      opRequirementId(family.name, op),
      section,
      `${family.title}: ${method} ${PATH_PREFIX}/${family.name}${path} (${op})`,
    );
  });
  const sorts = family.sorts.length === 0 ? 'no field' : family.sorts.join(', ');
  return [
    ...rows,
    stated(
      `FLD-${family.name}`,
      section,
      `${family.title}: filters on ${family.filters.join(', ') || 'no field'}; sorts on ${sorts}`,
    ),
  ];
}

/** The whole catalogue for a table of families: general rows, one per operation, one per family, operators and gaps. */
export function requirements(table: FamilyTable = FAMILIES): readonly Requirement[] {
  return [
    ...GENERAL,
    ...Object.entries(OPERATORS).map(([name, meaning]) =>
      stated(`FOP-${name}`, LIST, `${name} keeps the records whose field ${meaning} the value`),
    ),
    ...Object.values(table).flatMap(familyRequirements),
    ...Object.entries(GAPS).map(
      ([id, gap]): Requirement => ({ id, section: gap.section, text: `not shown: ${gap.text}`, level: 'gap' }),
    ),
  ];
}

/** Level of a requirement, in a family if one is named; *implied* for one that the catalogue does not have. */
export function levelOf(requirement: string, family = '', table: FamilyTable = FAMILIES): Level {
  const level = requirements(table).find(({ id }) => id === requirement)?.level ?? 'implied';
  return levelIn(table[family], requirement, level);
}
