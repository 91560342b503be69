import { AFFECTS, type FactRow } from '../fact.ts';

/** Which headers requests need, what bulk and ANC do, and who may ask, how often, and with what token. */
export const FACTS_OF_OPERATIONS = {
  accept: {
    title: 'answers 415 in XML for Accept */* or none, and 415 for a POST or PUT without Content-Type',
    confidence: ['R', 'I'],
    relation: 'contradicts',
    breaks: ['CNV-HDR', 'CNV-XML: answered 415'],
    source: '1homas notes (curl sends */*); the part on POST and PUT is inferred from the same text',
  },
  deletetype: {
    title: 'answers 415 for a DELETE without Content-Type: application/json, and deletes nothing',
    confidence: ['R'],
    relation: 'contradicts',
    breaks: ['CNV-HDR', 'OP-*-D', 'SVC-1'],
    source: 'blog on ISE 3.5.0.527 patch 3: "ERS DELETE needs explicit JSON headers"',
    affects: AFFECTS.deleted,
  },
  bulk: {
    title:
      'takes JSON bulk requests with the two listed members, which hold no resources, and refuses resourcesList in JSON; XML works; one at a time, else 503 without Retry-After; 0.7 s each; Location ends in /bulk/submit/{id}',
    confidence: ['D', 'F', 'I'],
    source: 'developer page on bulk requests; nuuday/NDCiscoISE; published definitions',
    affects: AFFECTS.bulk,
  },
  anc: {
    title:
      'shows MAC addresses in capitals, and refuses an unknown policy, a repeated apply and a clear without a policy with 400',
    confidence: ['R', 'F'],
    source: 'script on 2.4; PowerShell, OpenDXL and PHP clients; the status is inferred',
    affects: AFFECTS.anc,
  },
  ancsession: {
    title: 'has no session for the endpoints of the pool: apply by IP address is refused, by MAC address it works',
    confidence: ['F'],
    source: 'OpenDXL samples ("Session lookup failure"); SOAR connectors; the status is inferred',
    affects: AFFECTS.anc,
    excludes: ['ancradius'],
    unavoidable: [{ checks: ['*|apply-by-ip*'], why: 'no endpoint of the pool can be named by its IP address' }],
  },
  ancradius: {
    title: 'answers apply and clear with 500 "Radius Failure", and carries them out',
    where: 'some',
    confidence: ['F'],
    source: 'client code that takes it as success; simulated sessions, whose device answers no CoA',
    affects: AFFECTS.anc,
    excludes: ['ancsession'],
  },
  lockout: {
    title: 'locks the account after five wrong passwords: 401 from then on',
    confidence: ['R', 'D'],
    source: 'blog on ISE 3.5; guides for administrators',
  },
  csrf: {
    title:
      'demands a CSRF token of every write, bound to the session cookies and gone after 60 idle seconds; else 403 with text and HTML',
    where: 'some',
    confidence: ['R', 'D'],
    relation: 'setting',
    source: 'ciscoisesdk 20; ise2ise notes on 3.4',
    excludes: ['csrf415'],
  },
  csrf415: {
    title: 'demands CSRF tokens as csrf does, and hands them out with an answer 415',
    where: 'some',
    confidence: ['R'],
    relation: 'setting',
    source: 'ise2ise notes on 3.4',
    excludes: ['csrf'],
  },
  operator: {
    title: 'answers every write with 403: the account may only read',
    where: 'some',
    confidence: ['D'],
    relation: 'setting',
    source: 'guides for administrators: the role ERS Operator',
    unavoidable: [{ checks: ['*'], why: 'nothing can be written' }],
  },
  rate: {
    title: 'works off 100 configuration requests a second; the others wait, ANC does not',
    where: 'some',
    confidence: ['D', 'F'],
    source: 'developer pages (100 TPS); scripts of a vendor engineer',
  },
  connections: {
    title: 'has at most 30 connections, and resets further ones',
    where: 'some',
    confidence: ['F'],
    source: 'scripts of a vendor engineer (2.6 and later)',
  },
} satisfies Readonly<Record<string, FactRow>>;
