import { Problem } from '../../reference/answers/problem.ts';
import { changing, type Deviation, withFields } from '../../reference/deviation.ts';
import type { Answer, Call } from '../../reference/http/wire.ts';
import type { Fields, Kit } from '../../reference/seams.ts';

/** Refuses a request. Throws `Problem` with the status. */
export const refuse = (status: number, why: string): never => {
  throw new Problem(status, 'crud', why);
};

/** A deployment that sees the fields of each create and update before it stores them, and may refuse them. */
export const judging = (judge: (fields: Fields, name: string, kit: Kit, id?: string) => void): Deviation =>
  changing('store', (inner, kit) =>
    withFields((_kind, name, fields, id) => {
      judge(fields, name, kit, id);
      return fields;
    })(inner),
  );

/** A deployment whose answers are changed before they go out. */
export const answering = (change: (answer: Answer, request: Call['request']) => Answer): Deviation =>
  changing('front', (inner) => ({ handle: async (call) => change(await inner.handle(call), call.request) }));

/** A deployment that answers so to a write that comes during another one. */
export const oneAtATime = (answer: Answer, writeMs = 2): Deviation => {
  let isWriting = false;
  return changing('front', (inner, { wait }) => ({
    handle: async (call) => {
      if (call.request.method === 'GET') return inner.handle(call);
      if (isWriting) return answer;
      isWriting = true;
      try {
        await wait(writeMs);
        return await inner.handle(call);
      } finally {
        isWriting = false;
      }
    },
  }));
};
