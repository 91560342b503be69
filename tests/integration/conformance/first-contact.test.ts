import { describe, expect, it } from 'vitest';
import { changing, type Deviation } from '../../../reference/deviation.ts';
import { answering, refuse } from '../../helpers/deviations.ts';
import { quickRun } from '../../helpers/reference-run.ts';

const FAMILIES = ['portaltheme', 'sxpvpns'];

/** A target that refuses bodies by a rule. */
const refusing = (rule: (fields: Readonly<Record<string, unknown>>) => string | undefined): Deviation =>
  changing('rules', (inner) => ({
    check: (name, op, fields) => {
      const why = rule(fields);
      if (why !== undefined) refuse(400, why);
      return inner.check(name, op, fields);
    },
  }));

const run = (deviations: readonly Deviation[], options: object = {}) =>
  quickRun({ deviations }, { visibilityMs: 100, families: FAMILIES, ...options });

const failed = ({ results }: Awaited<ReturnType<typeof run>>) =>
  results.filter(({ verdict }) => verdict === 'fail' || verdict === 'error').map(({ requirement }) => requirement);

describe('a target that cannot be rid of a record', () => {
  it.concurrent('gets one in each family where deletes are refused, and fails for its deletes alone: what holds without creates is tested', async () => {
    const done = await run([changing('store', () => ({ remove: () => refuse(400, 'deletes are not allowed') }))]);
    expect(done.cleanup.residue.map(({ family }) => family).sort()).toEqual(FAMILIES);
    expect([...new Set(failed(done))].sort()).toEqual(FAMILIES.map((family) => `OP-${family}-D`).sort());
    expect(done.results.find(({ checkId }) => checkId === 'record/create')?.reason).toContain(
      'deletes are not allowed',
    );
    for (const id of ['record/read-listed', 'list/complete', 'negative/unknown-id', 'survey/filters', 'survey/joins'])
      for (const { family, verdict } of done.results.filter(({ checkId }) => checkId === id))
        expect([id, family, verdict]).toEqual([id, family, 'pass']);
  });

  it.concurrent('gets one where deletes are answered with success and do nothing', async () => {
    const ignoring = changing('store', () => ({ remove: () => true }));
    const done = await run([ignoring], { families: ['sxpvpns'] });
    expect(done.cleanup.residue).toHaveLength(1);
    expect(new Set(failed(done))).toEqual(new Set(['OP-sxpvpns-D']));
  });

  it.concurrent('gets no more once deletes begin to be refused', async () => {
    let deletes = 0;
    const refusesLater = changing('store', (inner) => ({
      remove: (name, id) => {
        deletes += 1;
        if (deletes > 60) refuse(400, 'deletes are not allowed any more');
        return inner.remove(name, id);
      },
    }));
    const done = await run([refusesLater], { families: ['sxpvpns'] });
    // What is there at that moment, and no more than two further ones.
    expect(done.cleanup.created).toBeLessThan(60 + 45);
    expect(done.results.some(({ reason }) => reason?.includes('cannot be removed again'))).toBe(true);
  });
});

describe('a refusal of a value that nobody promised', () => {
  it.concurrent('is no failure, whichever alphabet and length of names it is', async () => {
    const done = await run(
      [refusing(({ sxpVpnName }) => (/^[a-z0-9]{1,24}$/.test(String(sxpVpnName)) ? undefined : 'name'))],
      { families: ['sxpvpns'] },
    );
    expect(failed(done)).toEqual([]);
    expect(done.results.filter(({ verdict }) => verdict === 'blocked')).toEqual([]);
    expect(done.cleanup.residue).toEqual([]);
  });

  it.concurrent('is no failure for a text, an object or a pointer', async () => {
    const done = await run(
      [
        refusing(({ description, themeData }) => {
          if (/[<>&"]/.test(String(description ?? ''))) return 'description';
          return themeData === undefined || Buffer.from(String(themeData), 'base64').toString().startsWith('/*')
            ? undefined
            : 'themeData';
        }),
      ],
      { families: ['portaltheme'], checks: ['record/', 'body/', 'xml/', 'survey/'] },
    );
    expect(failed(done)).toEqual([]);
    expect(done.results.filter(({ verdict }) => verdict === 'blocked')).toEqual([]);
    const refusal = done.results.find(({ checkId, variant }) => checkId === 'record/text' && variant === 'markup');
    expect(refusal).toMatchObject({ verdict: 'not-testable' });
  });
});

describe('a create that needs more than anybody can guess', () => {
  const needing = (member: string) =>
    refusing((fields) => (member in fields && JSON.stringify(fields[member]).includes('house') ? undefined : member));
  const families = ['hotspotportal'];
  const house = { settings: { portalSettings: { house: true } } };
  const filled = (more: object = {}): Deviation => ({
    install: ({ seams }) => {
      void seams.store.create('hotspotportal', { name: 'Default', portalType: 'HOTSPOTGUEST', ...house, ...more });
      return {};
    },
  });

  it.concurrent('starts from a copy of a record that is there', async () => {
    const done = await run([filled(), needing('settings')], {
      families,
      checks: ['operation/', 'record/', 'xml/text'],
    });
    expect(failed(done)).toEqual([]);
    expect(new Set(done.results.map(({ checkId, verdict }) => checkId === 'xml/text' && verdict))).toEqual(
      new Set([false, 'pass']),
    );
    expect(done.results.filter(({ verdict }) => verdict === 'blocked')).toEqual([]);
    expect(done.dialect['create.form.hotspotportal']?.answer).toMatchObject({ template: { HotspotPortal: house } });
  });

  it.concurrent('starts from a copy without what the server alone sets', async () => {
    const keeping = refusing(({ customizations }) => (customizations === undefined ? undefined : 'customizations'));
    const given = { families, checks: ['operation/write', 'record/create'] };
    const done = await run([filled({ customizations: { language: 'English' } }), needing('settings'), keeping], given);
    expect(failed(done)).toEqual([]);
    expect(done.results.filter(({ verdict }) => verdict === 'blocked')).toEqual([]);
  });

  it.concurrent('starts from the template of the operator', async () => {
    const done = await run([needing('settings')], {
      families,
      checks: ['operation/', 'record/'],
      templates: { hotspotportal: house },
    });
    expect(failed(done)).toEqual([]);
    expect(done.dialect['create.form.hotspotportal']?.answer).toMatchObject({ taken: 'the template of the operator' });
  });

  it.concurrent('starts from all members if no copy is taken', async () => {
    const isOwn = (list: unknown) => JSON.stringify(list ?? '').includes('Cfm-VN');
    const demanding = refusing(({ virtualnetworklist }) => (isOwn(virtualnetworklist) ? undefined : 'another list'));
    const done = await run([demanding], { families: ['sgtvnvlan'], checks: ['operation/write', 'record/create'] });
    expect(failed(done)).toEqual([]);
    expect(done.dialect['create.form.sgtvnvlan']?.answer).toMatchObject({ taken: 'all members' });
  });

  it.concurrent('is not testable where nothing is there to copy that would be taken', async () => {
    const none = changing('store', (inner) => ({
      list: (name) => ({ ...inner.list(name), length: 0, slice: () => [], pieces: () => [] }),
    }));
    const done = await run([none, needing('settings')], { families, checks: ['operation/write', 'record/create'] });
    expect(done.results.find(({ checkId }) => checkId === 'record/create')).toMatchObject({
      verdict: 'not-testable',
      needs: 'a record to start from, given with --template FILE',
    });
    expect(failed(done)).toEqual([]);
  });

  it.concurrent('fails where a copy of a record of its own is refused', async () => {
    const done = await run([refusing(() => 'never')], { families, checks: ['operation/write'] });
    expect(failed(done)).toContain('OP-hotspotportal-C');
  });
});

it('a create that is answered with where its record is to be seen is a create, and leaves nothing', async () => {
  const seeOther = answering((answer) => (answer.status === 201 ? { ...answer, status: 303, body: '' } : answer));
  const { results, cleanup } = await run([seeOther], { families: ['sxpvpns'], checks: ['record/', 'operation/'] });
  const open = results.filter(({ verdict }) => !['pass', 'info', 'not-applicable', 'not-testable'].includes(verdict));
  expect([open.map(({ checkId, reason }) => [checkId, reason]), cleanup.residue]).toEqual([[], []]);
});
