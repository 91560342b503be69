import { expect, it } from 'vitest';
import { checks } from '../../../conformance/catalog.ts';
import { pairChecks } from '../../../conformance/checks/pairs.ts';
import { lastChecks } from '../../../conformance/checks/schema.ts';
import { answering } from '../../helpers/deviations.ts';
import { quickRun } from '../../helpers/reference-run.ts';

it('two filters that answer with nothing are told one by one, so that none hides behind another', async () => {
  const none = { status: 200, headers: {}, body: '{"SearchResult":{"total":0,"resources":[]}}' };
  const wrong = answering((answer, { query }) => (/filter=name\.(CONTAINS|ENDSW)\./.test(query) ? none : answer));
  const catalog = pairChecks.filter(({ id }) => id === 'survey/filters');
  const { failed } = await quickRun({ deviations: [wrong] }, { families: ['portaltheme'] }, catalog);
  expect(failed.map(({ requirement, failure }) => [requirement, failure?.subject]).sort()).toEqual([
    ['FOP-CONTAINS', 'filter name.CONTAINS'],
    ['FOP-ENDSW', 'filter name.ENDSW'],
  ]);
  expect(new Set(failed.map(({ checkId, variant }) => `${checkId} ${variant}`)).size).toBe(2);
});

it('two members that have another type are told one by one', async () => {
  const wrong = answering(({ body, headers: _, ...answer }) => {
    const texts = String(body).replaceAll(/"(value|isReadOnly)":(\w+)/g, '"$1":"$2"');
    return { ...answer, headers: {}, body: texts };
  });
  const catalog = [...checks.filter(({ id }) => id === 'record/read-listed'), ...lastChecks];
  const { failed } = await quickRun({ deviations: [wrong] }, { mode: 'read-only', families: ['sgt'] }, catalog);
  expect(failed.map(({ failure }) => failure?.subject).sort()).toEqual(['member isReadOnly', 'member value']);
});
