import { expect, it } from 'vitest';
import { accused } from '../helpers/conformance-run.ts';
import { runBehind } from '../helpers/reference-run.ts';

const PATH = '/ers/config/hotspotportal/';
const KIND = /"portalType":"(\w+)"/;

it('a portal whose purpose never changes, with another word in the view, is accused of nothing new', async () => {
  const families = ['hotspotportal', 'portal'];
  const how = { mode: 'own-data', seed: 3, visibilityMs: 500, depth: 'quick' } as const;
  const { written, passed } = await runBehind(
    {
      refuses: ({ method, path, body }) =>
        method === 'PUT' && path.startsWith(PATH) && (KIND.exec(body)?.[1] ?? 'HOTSPOTGUEST') !== 'HOTSPOTGUEST'
          ? 400
          : undefined,
      shows: (path, body) =>
        path.startsWith('/ers/config/portal/') ? body.replace(KIND, '"portalType":"GUEST"') : body,
    },
    { ...how, families, checks: ['survey/', 'record/'] },
    {},
  );
  const kinds = passed.filter(({ method, path }) => method === 'PUT' && path.startsWith(PATH));
  expect(kinds.some(({ body }) => KIND.exec(body)?.[1] === 'MYDEVICE')).toBe(true);
  expect(accused(written)).toEqual([]);
  const told = written.find(({ checkId, family }) => checkId === 'survey/update' && family === 'hotspotportal');
  expect(told?.verdict).toBe('pass');
});
