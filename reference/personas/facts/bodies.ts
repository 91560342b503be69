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
