import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ReferenceServer, startReference } from '../../reference/server.ts';
import { accused, runAgainst } from '../helpers/conformance-run.ts';
import { type RecordingProxy, recordingProxy } from '../helpers/recording-proxy.ts';

const PATH = '/ers/config/hotspotportal/';
const KIND = /"portalType":"(\w+)"/;

let server: ReferenceServer;
let proxy: RecordingProxy;

beforeAll(async () => {
  server = await startReference({ sessions: 100 });
  proxy = await recordingProxy(server.baseUrl, undefined, {
    refuses: ({ method, path, body }) =>
      method === 'PUT' && path.startsWith(PATH) && (KIND.exec(body)?.[1] ?? 'HOTSPOTGUEST') !== 'HOTSPOTGUEST'
        ? 400
        : undefined,
    shows: (path, body) => (path.startsWith('/ers/config/portal/') ? body.replace(KIND, '"portalType":"GUEST"') : body),
  });
});
afterAll(async () => {
  await proxy.close();
  await server.close();
});

it('a portal whose purpose never changes, with another word in the view, is accused of nothing new', async () => {
  const credentials = { username: server.username, password: server.password };
  const families = ['hotspotportal', 'portal'];
  const options = {
    mode: 'own-data',
    seed: 3,
    families,
    visibilityMs: 500,
    depth: 'quick',
    checks: ['survey/', 'record/'],
  } as const;
  const { written } = await runAgainst({ baseUrl: proxy.baseUrl, credentials }, options);
  const kinds = proxy.passed.filter(({ method, path }) => method === 'PUT' && path.startsWith(PATH));
  expect(kinds.some(({ body }) => KIND.exec(body)?.[1] === 'MYDEVICE')).toBe(true);
  expect(accused(written)).toEqual([]);
  const told = written.find(({ checkId, family }) => checkId === 'survey/update' && family === 'hotspotportal');
  expect(told?.verdict).toBe('pass');
});
