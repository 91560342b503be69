import { expect, it } from 'vitest';
import { onceMore } from '../../../../lib/client/http/retries.ts';
import type { Exchange } from '../../../../lib/client/types.ts';

const LIST = '{"SearchResult":{"total":0,"resources":[]}}';
const answerTo = (path: string, status: number): Exchange => {
  const body = status === 200 ? LIST : '';
  const request = { family: 'sgt', op: 'list', path, headers: {} };
  return { request, status, body, json: body === '' ? undefined : JSON.parse(body) } as unknown as Exchange;
};

/** Sends each request twice at most, with these statuses, and gives the paths that are told of. */
async function told(...asked: readonly (readonly [path: string, ...statuses: number[]])[]) {
  const paths: string[] = [];
  const send = onceMore(
    { times: new Map(), refusing: new Set() },
    { onFailedOnce: ({ request }) => void paths.push(request.path) },
  );
  for (const [path, ...statuses] of asked) await send(async () => answerTo(path, statuses.shift() ?? 200), 'list');
  return paths;
}

it('a list that fails with 500, and is taken when it is sent again, is told', async () => {
  expect(await told(['/sgt?page=4', 500, 200])).toEqual(['/sgt?page=4']);
});

it('a page that is refused and then there is not told of a target that refuses with 500', async () => {
  expect(await told(['/sgt?page=9', 500, 500], ['/sgt?page=4', 500, 200], ['/sgt?size=7', 500, 200])).toEqual([
    '/sgt?size=7',
  ]);
});
