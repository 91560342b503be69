import { noCounts, noLessons, nothingKnown, type Session } from '../../conformance/driver/session.ts';
import { FAMILIES } from '../../lib/contract/families.ts';

/** A session on security groups that knows nothing, on a target where the run made all there is; what is given takes the place of that. */
export function aSession({
  context,
  ...given
}: Partial<Omit<Session, 'context'>> & { readonly context?: object }): Session {
  const eventually = given.eventually ?? (async () => undefined);
  const session = {
    ...{
      ...nothingKnown(),
      lessons: noLessons({ taken: new Set() }),
      count: noCounts(),
      own: '',
      isKnown: () => false,
      eventually,
    },
    ...given,
    context: {
      ...{ table: FAMILIES, family: FAMILIES.sgt, eventually },
      ledger: { standing: () => 'ours', writes: () => 0, movedMs: () => 0, leftAlone: () => [] },
      run: { dialect: () => undefined, needsCsrf: () => false },
      ...context,
    },
  };
  return session as unknown as Session;
}

/** What a target answers: JSON with a status of 200. */
export const answerOf = (json: unknown, op = 'list') => ({
  ...{ id: '1', status: 200, json, body: JSON.stringify(json), headers: {} },
  request: { op, method: 'GET', path: '' },
});

/** The answer to a list that shows these records on one page. */
export const listAnswer = (resources: readonly object[]) =>
  answerOf({ SearchResult: { total: resources.length, resources } });
