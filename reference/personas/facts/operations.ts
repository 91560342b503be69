import type { Fact } from '../fact.ts';
import { AFFECTS } from '../families.ts';

/** Which headers requests need, and what bulk and ANC do. */
export const FACTS_OF_OPERATIONS = {
  accept: {
    title: 'answers 415 in XML for Accept */* or none, and 415 for a POST or PUT without Content-Type',
    where: 'usual',
    confidence: ['R', 'I'],
    relation: 'contradicts',
    breaks: ['CNV-HDR', 'CNV-XML: answered 415'],
    source: '1homas notes (curl sends */*); the part on POST and PUT is inferred from the same text',
    affects: AFFECTS.all,
  },
  deletetype: {
    title: 'answers 415 for a DELETE without Content-Type: application/json, and deletes nothing',
    where: 'usual',
    confidence: ['R'],
    relation: 'contradicts',
    breaks: ['CNV-HDR', 'OP-*-D', 'SVC-1'],
    source: 'blog on ISE 3.5.0.527 patch 3: "ERS DELETE needs explicit JSON headers"',
    affects: AFFECTS.deleted,
  },
  mediatype: {
    title: 'answers 415 for an ERS-Media-Type that the family does not support',
    where: 'usual',
    confidence: ['D', 'P'],
    relation: 'silent',
    source: 'developer pages on versioning',
    affects: AFFECTS.all,
  },
  bulk: {
    title:
      'takes JSON bulk requests with the two listed members, which hold no resources, and refuses resourcesList in JSON; XML works; one at a time, else 503 without Retry-After; 0.7 s each; Location ends in /bulk/submit/{id}',
    where: 'usual',
    confidence: ['D', 'F', 'I'],
    relation: 'silent',
    source: 'developer page on bulk requests; nuuday/NDCiscoISE; published definitions',
    affects: AFFECTS.bulk,
  },
  anc: {
    title:
      'shows MAC addresses in capitals, and refuses an unknown policy, a repeated apply and a clear without a policy with 400',
    where: 'usual',
    confidence: ['R', 'F'],
    relation: 'silent',
    source: 'script on 2.4; PowerShell, OpenDXL and PHP clients; the status is inferred',
    affects: AFFECTS.anc,
  },
  ancsession: {
    title: 'has no session for the endpoints of the pool: apply by IP address is refused, by MAC address it works',
    where: 'usual',
    confidence: ['F'],
    relation: 'silent',
    source: 'OpenDXL samples ("Session lookup failure"); SOAR connectors; the status is inferred',
    affects: AFFECTS.anc,
    excludes: ['ancradius'],
    unavoidable: [{ checks: ['*|apply-by-ip*'], why: 'no endpoint of the pool can be named by its IP address' }],
  },
  ancradius: {
    title: 'answers apply and clear with 500 "Radius Failure", and carries them out',
    where: 'some',
    confidence: ['F'],
    relation: 'silent',
    source: 'client code that takes it as success; simulated sessions, whose device answers no CoA',
    affects: AFFECTS.anc,
    excludes: ['ancsession'],
  },
} satisfies Readonly<Record<string, Omit<Fact, 'id'>>>;
