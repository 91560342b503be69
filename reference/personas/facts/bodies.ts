import { AFFECTS, type FactRow } from '../fact.ts';

/** What the product has when it is new, and which bodies it takes. */
export const FACTS_OF_BODIES = {
  seed: {
    title:
      'has factory records only: 16 groups with fixed ids, a default portal of each kind, 4 themes, 10 SMS providers, one telemetry record, one SXP VPN, no mapping, two endpoints with policies of others, 5 nodes',
    confidence: ['R', 'P'],
    source: 'recordings in falkowich/ise and brainfreeze; ise2ise notes: factory objects have the same ids everywhere',
    unavoidable: [
      {
        checks: ['filter/*', 'sort/*', 'paging/*', 'survey/*'],
        mode: 'read-only',
        why: 'the values of the factory records are too few or too alike',
      },
      { checks: ['*'], mode: 'read-only', affects: AFFECTS.empty, why: 'there is no record to look at' },
      {
        checks: ['filter/*', 'sort/*', 'paging/*'],
        mode: 'own-data',
        affects: AFFECTS.anc,
        why: 'two endpoints have a policy, and only mode full may add one',
      },
      {
        checks: ['filter/*', 'sort/*', 'paging/*'],
        affects: AFFECTS.single,
        why: 'there is one record, and no other can be made',
      },
      {
        checks: ['filter/operator|description.*', 'sort/field|description.*'],
        affects: AFFECTS.undescribed,
        why: 'no record has a description, and none can be given',
      },
      { checks: ['number/bounds*'], affects: AFFECTS.groups, why: 'a factory record holds the lowest value' },
    ],
  },
  names: {
    title: 'takes group names of 1 to 32 letters, digits and underscores, and refuses others with 400',
    confidence: ['F', 'R'],
    source: 'check of names in pyise-ers; text recorded on 3.4 for another family',
    affects: AFFECTS.groups,
    excludes: ['names-loose'],
  },
  'names-loose': {
    title: 'takes group names of 1 to 32 letters, digits, underscores, dots and dashes',
    where: 'some',
    confidence: ['F'],
    source: 'data model of netascode, ise/trust_sec/security_group',
    affects: AFFECTS.groups,
    excludes: ['names'],
  },
  names2: {
    title:
      'takes names of the other families of letters, digits, blanks and _ - . ( ), at most 128 (SXP VPNs: no blanks, 32), that differ in more than case',
    confidence: ['I', 'R'],
    source: 'blog on ISE 3.5: rules of names differ between objects; the exact sets are inferred',
    affects: AFFECTS.named,
  },
  descriptions: {
    title: 'refuses < and > in a description with 400, and names neither field nor character',
    confidence: ['R'],
    source: 'blog on ISE 3.5.0.527 patch 3',
    affects: AFFECTS.described,
  },
  portals: {
    title:
      'takes a portal only with the type of its path, settings.portalSettings with port, interfaces, certificate group and endpoint group that exist, known groups of settings, and a theme that exists; it fills in the other groups',
    confidence: ['P', 'I'],
    source: 'published definitions (Required: Yes); that a create without settings is refused is inferred',
    affects: AFFECTS.portalKinds,
  },
  testurl: {
    title: 'makes portalTestUrl itself, with the id of the portal, and ignores a sent one',
    confidence: ['P', 'I'],
    source: 'published definitions: the example holds the id; no client sets it',
    affects: AFFECTS.portalKinds,
  },
  theme: {
    title: 'needs themeData, the Base64 text of a style sheet, and refuses other texts with 400',
    confidence: ['P'],
    source: 'published definitions: a CSS file, represented as a Base64-encoded byte array',
    affects: AFFECTS.styled,
  },
  vn: {
    title:
      'takes a mapping only for a group that exists, with names for its networks; it adds ids and vlans, and keeps a mapped group from being deleted',
    confidence: ['P', 'I'],
    source: 'published definitions: name and sgtId required; sxo-05 214: integrity constraints',
    affects: AFFECTS.mapped,
  },
  strict: {
    title:
      'refuses unknown members, null and wrong JSON types with 400, and an update without id and the mandatory members',
    confidence: ['R'],
    source: 'Terraform providers 5, 24 and 94; ise2ise notes on 3.4',
    affects: AFFECTS.described,
  },
  dup500: {
    title: 'answers 500 for a name that exists',
    where: 'some',
    confidence: ['R'],
    source: '1homas notes on internal users; ansible-ise 157',
    affects: AFFECTS.distinct,
  },
  defaults: {
    title: 'changes and deletes no factory record, and answers 400',
    confidence: ['I'],
    source: 'the administration pages; not recorded for this interface',
    affects: AFFECTS.written,
  },
} satisfies Readonly<Record<string, FactRow>>;

export const FACTS_OF_ANSWERS = {
  generation: {
    title: 'counts generationId itself, shows it as a text, and ignores a sent one',
    confidence: ['R'],
    relation: 'contradicts',
    breaks: ['RES-TYPE: generationId', 'PAY-C: generationId', 'PAY-U: generationId'],
    source: 'recordings in falkowich/ise and brainfreeze; types of the SDKs; published as read-only',
    affects: AFFECTS.counted,
  },
  sgtfields: {
    title: 'takes isReadOnly and defaultSGACLs and does not show them, and leaves an empty description out',
    confidence: ['R', 'F'],
    source: 'recorded reads of groups; the Terraform provider only writes isReadOnly',
    affects: AFFECTS.groups,
  },
  members: {
    title:
      'shows no name of telemetry and ANC records, GUEST or SPONSOR as portalType of the generic view, and a group with the value 0',
    confidence: ['R', 'P'],
    relation: 'contradicts',
    breaks: ['RES-TEL', 'RES-ANC', 'RES-PTYPE', 'LIM-SGT', 'RES-TYPE: value 0', 'VIEW-PORTAL: portalType'],
    source: 'recordings of J. Sciortino, rapid7 and brainfreeze; published definitions',
    affects: AFFECTS.outside,
  },
  portalview: {
    title: 'shows guest and sponsor portals in the generic view, not those of the kinds My Devices and BYOD',
    confidence: ['R', 'P'],
    relation: 'contradicts',
    breaks: ['VIEW-PORTAL'],
    source: 'recording in brainfreeze (4 entries); published list of portals',
    affects: AFFECTS.halfViewed,
    unavoidable: [{ checks: ['view/forgets|*'], why: 'a portal that the view never showed cannot leave it' }],
  },
  portal500: {
    title: 'answers the list of the generic view with 500',
    where: 'some',
    confidence: ['R'],
    relation: 'contradicts',
    breaks: ['OP-*-L', 'VIEW-PORTAL', 'FLD-*', 'LST-*', 'ADV-5XX'],
    source: 'ISE 3.4.0.608 in the ise2ise notes: "Operation search PORTAL failed", on one deployment',
    affects: AFFECTS.halfViewed,
    unavoidable: [
      {
        checks: ['list/*', 'paging/*', 'filter/*', 'sort/*', 'survey/*', 'view/*', 'body/list-envelope|*', '*|list.*'],
        affects: AFFECTS.views,
        why: 'the list of the view is never answered',
      },
    ],
  },
  lists: {
    title:
      'shows no name in entries of telemetry, SXP VPN and ANC lists, no description there and in those of SMS providers and nodes, no empty description, and an order of its own',
    confidence: ['R', 'P'],
    source: 'recordings and published definitions; groups are ordered by name',
  },
  filtertype: {
    title: 'joins by OR for filtertype in small letters only, and ignores filterType',
    confidence: ['R', 'F'],
    relation: 'contradicts',
    breaks: ['LST-FTYPE', 'LST-NOSORT'],
    source: 'ansible-ise 116 (ISE 3.3); PHP client',
  },
  ancfilter: {
    title: 'refuses a filter of ANC endpoints by name, and takes one by macAddress',
    where: 'some',
    confidence: ['I'],
    relation: 'contradicts',
    breaks: ['FLD-*', 'FOP-*', 'LST-FILT', 'LST-FTYPE'],
    source: 'text recorded on 3.4 for the endpoint family; the published header says MAC address',
    affects: AFFECTS.anc,
    unavoidable: [
      {
        checks: ['filter/*', 'paging/next-keeps-filters|*', 'paging/next-keeps-join|*', 'survey/joins|*'],
        why: 'the one filter that the specification lists is refused',
      },
    ],
  },
  paging: {
    title: 'takes a size of at most 100, and answers 400 without a result for a larger one and for a page past the end',
    confidence: ['R', 'D'],
    source: 'blog on ISE 3.5; ansible-ise 108',
  },
  past404: {
    title: 'answers 404 for a page past the end',
    where: 'some',
    confidence: ['F'],
    source: 'changelog of the Python SDK, on older releases',
  },
  wire: {
    title:
      'answers without words behind the status, in chunks, with new session cookies, an ETag on single reads, and headers that forbid to keep the answer',
    confidence: ['R'],
    source: 'recordings in JupiterOne/graph-cisco-ise',
  },
} satisfies Readonly<Record<string, FactRow>>;
