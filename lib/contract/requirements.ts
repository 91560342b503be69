import { FAMILIES } from './families.ts';
import { OPERATORS } from './list.ts';
import { OPS, PATH_PREFIX } from './operations.ts';
import type { Family, FamilyTable, Op } from './types.ts';

/** What the specification says it does not show: observed and recorded, never judged. */
export const GAPS = {
  'G-01': {
    section: 'Gaps in the field model',
    text: 'fields of node details, generic portal and SMS provider records',
  },
  'G-02': { section: 'Gaps in the field model', text: 'inner structure of settings and customizations' },
  'G-03': {
    section: 'Gaps in the field model',
    text: 'item structure of additionalData, virtualnetworklist and defaultSGACLs',
  },
  'G-04': { section: 'Gaps in the field model', text: 'allowed values of the telemetry status' },
  'G-05': {
    section: 'Gaps in the field model',
    text: 'which body fields of portals, themes, security groups, mappings and SXP VPNs are required',
  },
  'G-06': { section: 'States and transitions', text: 'states of a resource and the transitions between them' },
  'G-07': {
    section: 'Gaps in the endpoint contract',
    text: 'response bodies and success status codes, the list envelope excepted',
  },
  'G-08': { section: 'Gaps in the endpoint contract', text: 'allowed values of operationType and resourceMediaType' },
  'G-09': { section: 'Authentication', text: 'authentication scheme, credentials and token lifetime' },
  'G-10': { section: 'Authentication', text: 'permissions each operation needs' },
  'G-11': { section: 'Events', text: 'events' },
  'G-12': { section: 'Errors', text: 'error status codes, the shape of an error body and its codes' },
  'G-13': { section: 'Limits', text: 'default and largest page and size' },
  'G-14': { section: 'Limits', text: 'rate limits of operations other than ANC' },
  'G-15': { section: 'Versioning', text: 'how a request selects a version' },
  'G-16': { section: 'Versioning', text: 'body of the version information' },
} as const;

export type GapId = keyof typeof GAPS;

/** How strongly the specification binds; it caps the verdict (fail, warn, info, info). */
export type Level = 'stated' | 'implied' | 'gap' | 'advice';

export interface Requirement {
  readonly id: string;
  readonly section: string;
  readonly text: string;
  readonly level: Level;
  /** Why no check of the conformance runner can decide it. */
  readonly untestable?: string;
}

/** Requirements of one section, each with its text, and with the reason where no check can decide it. */
const rows = (level: Level, section: string, texts: Readonly<Record<string, string | readonly [string, string]>>) =>
  Object.entries(texts).map(([id, held]): Requirement => {
    const [text = '', untestable] = [held].flat();
    return { id, section, text, level, ...(untestable === undefined ? {} : { untestable }) };
  });

const LIST = 'List query parameters';
const CONVENTIONS = 'Conventions shared by all operations';
const RESOURCES = 'Resources and their fields';
const ENDPOINTS = 'Operations per family';
const SPECIAL = 'Special paths';

const GENERAL: readonly Requirement[] = [
  ...rows('stated', 'What the service does', {
    'SVC-1': 'records can be created, read, updated, deleted and listed, and what one operation did the others show',
  }),
  ...rows('stated', CONVENTIONS, { 'SVC-2': `every path is below ${PATH_PREFIX} at the base URL` }),
  ...rows('stated', RESOURCES, {
    'RES-ID': 'every id is a string, names one record and stays the same',
    'RES-NAMES': 'fields have exactly the listed names, propogateToApic in that spelling included',
    'RES-ROOT': 'a body is one JSON object with the one root key of its family and operation',
    'RES-TYPE': 'a listed field has the type its table gives',
    'RES-PTYPE': 'portalType is one of the six listed values',
    'RES-SGTVAL': 'a security group takes any value from 2 to 65519, and generates one for -1',
  }),
  ...rows('stated', 'Limits', { 'LIM-SGT': 'a security group never has a value outside 2 to 65519' }),
  ...rows('stated', RESOURCES, {
    'RES-MAC': 'macAddress is written in hexadecimal pairs separated by colons',
    'RES-ANC': 'an ANC endpoint has a name, a macAddress and a policyName',
    'RES-TEL': 'telemetry information has a name',
  }),
  ...rows('stated', CONVENTIONS, {
    'CNV-HDR': 'the four request headers are optional: an operation works with and without each that it accepts',
    'CNV-XML': 'a body is read as XML when Content-Type contains application/xml, and as JSON otherwise',
    'CNV-VERB': 'update and bulk submit are PUT, create is POST',
    'CNV-UNSET': 'a JSON body holds only the fields that were supplied',
  }),
  ...rows('stated', SPECIAL, {
    'PAY-C': 'a create takes every listed field except id, and stores it',
    'PAY-U': 'an update takes every listed field and id, and stores it',
    'PAY-ID': 'a create that may carry an id accepts one',
  }),
  ...rows('stated', LIST, {
    'LST-ENV': 'a list answer is a SearchResult with its resources',
    'LST-PAGE': 'page selects a page of the list: the pages together hold every record once',
    'LST-SIZE': 'size is the number of records on a page',
    'LST-NEXT': 'nextPage.href addresses the next page of the same query, and following it reads the whole list',
    'LST-SORT': 'sortasc and sortdsc order the whole list by the field they name',
    'LST-FILT': 'a filter is field, operator and value separated by dots, and may be repeated',
    'LST-FTYPE': 'repeated filters are joined by AND, and by OR when filterType is or',
    'LST-DATE': ['date columns are filtered in the form DD-MON-YY', 'no family lists a date field'],
  }),
  ...rows('stated', ENDPOINTS, { 'LST-NOSORT': 'lists without sort fields take page, size, filter and filterType' }),
  ...rows('stated', 'What the service does', {
    'VIEW-PORTAL': 'the generic portal family shows all portals and changes none',
  }),
  ...rows('stated', SPECIAL, {
    'SPC-NODE': 'a node is read by name and by id, and both show the same node',
    'SPC-VER': 'every family answers versioninfo with its version information, not with a record',
    'SPC-BULK': 'a bulk request is submitted, can be monitored by its id, and does what it was asked for',
    'SPC-ANC': 'apply puts a policy on an endpoint and clear takes it away',
  }),
  ...rows('stated', 'Authentication', {
    'AUTH-CSRF': 'single-resource, list, create, update, delete, apply and clear operations accept X-CSRF-TOKEN',
  }),
  ...rows('stated', 'Limits', {
    'LIM-ANC': [
      'each ANC operation holds 250 transactions per second in each deployment size',
      'proven by load, not by a conformance check',
    ],
  }),
  ...rows('stated', 'Versioning', {
    'VER-GROUP': [
      'a family is served by the version groups its row names',
      'the specification shows no way to ask for a version group (gap G-15)',
    ],
    'VER-PATH': 'paths carry no version segment',
  }),
  ...rows('stated', CONVENTIONS, {
    // "are passed through" binds the client or the service, the sentence does not say which: it caps at a warning.
    'CNV-EXTRA': 'query parameters the specification does not name may be added to any operation',
  }),
  ...rows('implied', 'What the service does', {
    'VIEW-RO': [
      'a family that has no create, update or delete takes no writes',
      'needs writes to records that the run did not make, and no answer to them is shown (gap G-12)',
    ],
  }),
  ...rows('implied', ENDPOINTS, {
    'ATOM-1': 'a reader sees a record as one write left it, never a mixture of two',
    'FRESH-1': 'a write is visible to later reads within a short time',
    'LIST-GET': 'a list and a read of the same record agree',
    'NEG-404': 'an id that names no record is refused',
  }),
  ...rows('implied', RESOURCES, { 'NEG-BODY': 'a body that is not of the listed form is refused and changes nothing' }),
  ...rows('implied', LIST, {
    'NEG-FILTER': 'a filter on an unlisted field or with an unknown operator does not answer with unrelated records',
  }),
  ...rows('advice', 'Errors', {
    'ADV-5XX': 'bad input is answered with a client error, not with a server error',
    'ADV-ERR': 'an error answer has a body that names the mistake',
    'ADV-LEAK': 'an answer shows no stack trace and no credentials',
  }),
];

/** Id of the requirement that a family has an operation: one row of the operations table. */
export const opRequirementId = (family: string, op: Op): string => `OP-${family}-${OPS[op].code}`;

/** What the published definition of an imported family states: operations, fields and types. All else is implied there. */
const DEFINED = /^(?:OP|FLD)-|^RES-(?:TYPE|NAMES|ROOT)$/;

/** Level of a requirement in one family: the specification states things of its own families alone. */
export const levelIn = (family: Family | undefined, requirement: string, level: Level): Level =>
  family?.imported !== undefined && level === 'stated' && !DEFINED.test(requirement) ? 'implied' : level;

function familyRequirements(family: Family): readonly Requirement[] {
  const section = family.imported === undefined ? ENDPOINTS : `Published definition ${family.imported}`;
  const sorts = family.sorts.length === 0 ? 'no field' : family.sorts.join(', ');
  const operations = family.ops.map((op) => {
    const { method, path } = OPS[op];
    const text = `${family.title}: ${method} ${PATH_PREFIX}/${family.name}${path} (${op})`;
    return [opRequirementId(family.name, op), text] as const;
  });
  const queries = `${family.title}: filters on ${family.filters.join(', ') || 'no field'}; sorts on ${sorts}`;
  return rows('stated', section, { ...Object.fromEntries(operations), [`FLD-${family.name}`]: queries });
}

/** The whole catalogue for a table of families: general rows, one per operation, one per family, operators and gaps. */
export const requirements = (table: FamilyTable = FAMILIES): readonly Requirement[] => [
  ...GENERAL,
  ...Object.entries(OPERATORS).flatMap(([name, meaning]) =>
    rows('stated', LIST, { [`FOP-${name}`]: `${name} keeps the records whose field ${meaning} the value` }),
  ),
  ...Object.values(table).flatMap(familyRequirements),
  ...Object.entries(GAPS).flatMap(([id, { section, text }]) => rows('gap', section, { [id]: `not shown: ${text}` })),
];

/** Level of a requirement, in a family if one is named; *implied* for one that the catalogue does not have. */
export function levelOf(requirement: string, family = '', table: FamilyTable = FAMILIES): Level {
  const level = requirements(table).find(({ id }) => id === requirement)?.level ?? 'implied';
  return levelIn(table[family], requirement, level);
}
