import { AFFECTS, type FactRow } from '../fact.ts';

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
