import { Problem } from '../answers/problem.ts';
import { problemOutcome } from '../answers/responder.ts';
import { changing, type Deviation } from '../deviation.ts';
import type { Dialect } from '../dialect.ts';
import type { Call } from '../http/wire.ts';
import type { Fields, Kit } from '../seams.ts';
import type { Fact } from './fact.ts';

/** A fact with what makes a deployment answer so. */
export interface Rule extends Fact, Deviation {}

/** A rule that only chooses other values where the specification is silent. */
export const choosing = (values: Partial<Dialect>): Deviation => changing('dialect', () => values);

/** A rule that changes what is checked in a body before anything else looks at it. */
export const onBody = (change: (name: string, op: 'create' | 'update', fields: Fields) => Fields): Deviation =>
  changing('rules', (inner) => ({
    check: (name, op, fields) => inner.check(name, op, change(name, op, fields)),
  }));

/** A rule that refuses requests for how they are asked, when the login is right. */
export const onRequest = (refusal: (call: Call, kit: Kit) => Problem | undefined): Deviation =>
  changing('gate', (inner, kit) => ({
    admit: (call) => {
      inner.admit(call);
      const problem = refusal(call, kit);
      if (problem !== undefined) throw problem;
    },
  }));

/** A problem whose envelope is in XML, whatever the client accepts. */
export function inXml(kit: Kit, call: Call, problem: Problem): Problem {
  const { document } = problemOutcome(problem, call);
  if (document === undefined) return problem;
  return new Problem(problem.status, problem.code, problem.message, {
    text: kit.seams.codec.encode('xml', document),
    headers: { 'Content-Type': 'application/xml;charset=utf-8' },
  });
}
