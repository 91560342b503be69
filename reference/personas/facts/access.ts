import type { Fact } from '../fact.ts';
import { AFFECTS } from '../families.ts';

/** Who may ask, how often, and with what token. */
export const FACTS_OF_ACCESS = {
  lockout: {
    title: 'locks the account after five wrong passwords: 401 from then on',
    where: 'usual',
    confidence: ['R', 'D'],
    relation: 'silent',
    source: 'blog on ISE 3.5; guides for administrators',
    affects: AFFECTS.all,
  },
  csrf: {
    title:
      'demands a CSRF token of every write, bound to the session cookies and gone after 60 idle seconds; else 403 with text and HTML',
    where: 'some',
    confidence: ['R', 'D'],
    relation: 'setting',
    source: 'ciscoisesdk 20; ise2ise notes on 3.4',
    affects: AFFECTS.all,
    excludes: ['csrf415'],
  },
  csrf415: {
    title: 'demands CSRF tokens as csrf does, and hands them out with an answer 415',
    where: 'some',
    confidence: ['R'],
    relation: 'setting',
    source: 'ise2ise notes on 3.4',
    affects: AFFECTS.all,
    excludes: ['csrf'],
  },
  operator: {
    title: 'answers every write with 403: the account may only read',
    where: 'some',
    confidence: ['D'],
    relation: 'setting',
    source: 'guides for administrators: the role ERS Operator',
    affects: AFFECTS.all,
    unavoidable: [{ checks: ['*'], why: 'nothing can be written' }],
  },
  rate: {
    title: 'works off 100 configuration requests a second; the others wait, ANC does not',
    where: 'some',
    confidence: ['D', 'F'],
    relation: 'silent',
    source: 'developer pages (100 TPS); scripts of a vendor engineer',
    affects: AFFECTS.all,
  },
  connections: {
    title: 'has at most 30 connections, and resets further ones',
    where: 'some',
    confidence: ['F'],
    relation: 'silent',
    source: 'scripts of a vendor engineer (2.6 and later)',
    affects: AFFECTS.all,
  },
} satisfies Readonly<Record<string, Omit<Fact, 'id'>>>;
