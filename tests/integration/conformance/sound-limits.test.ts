import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ConformanceOptions } from '../../../conformance/engine/run.ts';
import { changing, choice, type Deviation, withFields } from '../../../reference/deviation.ts';
import type { Fields } from '../../../reference/seams.ts';
import { allOf } from '../../../reference/store/store.ts';
import { accused } from '../../helpers/conformance-run.ts';
import { answering, judging, oneAtATime, refuse } from '../../helpers/deviations.ts';
import { quickRun } from '../../helpers/reference-run.ts';

/** What a deployment that does no wrong is accused of, and what is left there. */
async function foundOn(
  allowed: Deviation | readonly Deviation[],
  families: readonly string[],
  given: Partial<ConformanceOptions> = {},
) {
  const { results, cleanup } = await quickRun({ deviations: [allowed].flat() }, { families, ...given });
  return { wrong: accused(results), left: cleanup.residue.length };
}

const CLEAN = { wrong: [], left: 0 };

// None of it is shown: "Limits", "States and transitions", "Errors", and success status codes.
describe('a deployment that does no wrong is not accused', () => {
  it.concurrent('if reads are answered 203, a write during another one 409, and a family takes so many records and no more', async () => {
    const front = answering((answer, { method }) =>
      method === 'GET' && answer.status === 200 ? { ...answer, status: 203 } : answer,
    );
    const few = changing('store', (inner, { seams }) => ({
      create: (name, fields) =>
        seams.store.list(name).length < 11 ? inner.create(name, fields) : refuse(400, 'no more resources are taken'),
    }));
    expect(await foundOn([oneAtATime({ status: 409, headers: {}, body: '' }), front, few], ['sxpvpns'])).toEqual(CLEAN);
  });

  it.concurrent('if a create is a job, a read of nothing is empty, short operands are refused, and a write during another one is to come again at once', async () => {
    const short = /filter=[^&]*\.N?(CONTAINS|STARTSW|ENDSW)\.[^&]{1,3}(&|$)/;
    const front = answering((answer, { method, query }) => {
      if (method === 'GET' && short.test(query)) return { status: 400, headers: {}, body: 'too short' };
      if (method === 'GET' && answer.status === 404) return { status: 204, headers: {}, body: '' };
      if (answer.status !== 201) return answer;
      const job = { id: randomUUID(), state: 'COMPLETED' };
      return { status: 202, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ job }) };
    });
    expect(
      await foundOn([oneAtATime({ status: 409, headers: { 'Retry-After': '0' }, body: '' }), front], ['sxpvpns']),
    ).toEqual(CLEAN);
  });

  it.concurrent('if a read shows what the table of the family shows, which has no id', async () => {
    const front = answering((answer) => {
      const [, name] = /^\{"ERSSxpVpn":.*("sxpVpnName":"(?:[^"\\]|\\.)*")/.exec(String(answer.body)) ?? [];
      if (name === undefined) return answer;
      const { 'Content-Length': _, ...headers } = answer.headers;
      return { ...answer, headers, body: `{"ERSSxpVpn":{${name}}}` };
    });
    expect(await foundOn(front, ['sxpvpns'])).toEqual(CLEAN);
  });

  it.concurrent('if sorted lists come from an index that learns of a record half a second later', async () => {
    const made = new Map<string, number>();
    const front = answering((answer, { method, query }) => {
      const id = method === 'POST' ? /[^/]+$/.exec(answer.headers['Location'] ?? '')?.[0] : undefined;
      if (id !== undefined) made.set(id, performance.now());
      const text = String(answer.body);
      if (method !== 'GET' || !query.includes('sort') || !text.startsWith('{"SearchResult"')) return answer;
      const { total, resources, ...more } = JSON.parse(text).SearchResult;
      // Of several pages, one without what is late would not be a page of the index.
      if (total > resources.length) return answer;
      const seen = resources.filter((one: { id: string }) => performance.now() - (made.get(one.id) ?? 0) > 500);
      const body = JSON.stringify({ SearchResult: { total: seen.length, resources: seen, ...more } });
      return { ...answer, headers: { 'Content-Type': 'application/json' }, body };
    });
    expect(await foundOn(front, ['byodportal'], { checks: ['survey/'], visibilityMs: 2000 })).toEqual(CLEAN);
  });

  it.concurrent('if filters compare codes of what reads tell in words, and entries link to a page for people', async () => {
    const front = answering((answer, { method, path }) => {
      if (method !== 'GET' || answer.status !== 200) return answer;
      const body = String(answer.body).replace(/("nodeServiceTypes":")/, '$1role ');
      const page = '"link":{"rel":"ui","href":"https://ui.example/admin/node"}';
      const headers = { 'Content-Type': 'application/json' };
      return {
        status: 200,
        headers,
        body: path === '/ers/config/node' ? body.replace(/"link":\{[^}]*\}/g, page) : body,
      };
    });
    expect(await foundOn(front, ['node'])).toEqual(CLEAN);
  });

  it.concurrent('if it stores no members within items but those that it knows', async () => {
    const known = ({ virtualnetworklist: items, ...fields }: Fields): Fields => ({
      ...fields,
      ...(Array.isArray(items) ? { virtualnetworklist: items.map(({ name }) => ({ name })) } : {}),
    });
    const storing = withFields((_kind, _name, fields) => known(fields));
    expect(await foundOn(changing('store', storing), ['sgtvnvlan'])).toEqual(CLEAN);
  });

  it.concurrent('if it does not serve the view of its portals', async () => {
    const front = answering((answer, { path }) =>
      path.startsWith('/ers/config/portal/') || path === '/ers/config/portal'
        ? { status: 404, headers: {}, body: 'no such resource' }
        : answer,
    );
    const checks = ['operation/', 'record/', 'view/', 'survey/'];
    expect(await foundOn(front, ['mydeviceportal'], { checks })).toEqual(CLEAN);
  });

  it.concurrent('if no two records may have one description', async () => {
    const unique = judging(({ description }, name, { seams }, id) => {
      const others = allOf(seams.store.list(name)).filter((record) => record.id !== id);
      if (description && others.some((record) => record['description'] === description)) refuse(409, 'it is in use');
    });
    // Checks of lists make no two alike.
    const checks = ['operation/', 'record/create', 'record/update', 'survey/update'];
    expect(await foundOn(unique, ['portaltheme'], { checks })).toEqual(CLEAN);
  });

  it.concurrent('if a record is longer than what is kept of an answer', async () => {
    const long: Deviation = {
      install: ({ seams }) => {
        const [first] = allOf(seams.store.list('portaltheme'));
        seams.store.update('portaltheme', first?.id ?? '', { themeData: 'x'.repeat(5 * 1024 * 1024) });
        return {};
      },
    };
    expect(await foundOn(long, ['portaltheme'], { checks: ['record/read-listed'] })).toEqual(CLEAN);
  });

  it.concurrent('if no page may be asked for that holds more than five records', async () => {
    const small = choice('', '', 'G-13', { defaultSize: 5, maxSize: 5 });
    expect(await foundOn(small, ['sxpvpns'])).toEqual(CLEAN);
  });

  it.concurrent('if so many endpoints may hold a policy and no more', async () => {
    const held = new Map<string, string>();
    const few = changing('anc', (inner) => ({
      apply: async (targets) => {
        for (const { macAddress: mac, policyName: policy } of targets) {
          const others = [...held].filter(([address, other]) => other === policy && address !== mac);
          if (mac !== undefined && others.length >= 5) refuse(400, 'the policy holds no more endpoints');
        }
        await inner.apply(targets);
        for (const { macAddress: mac, policyName: policy } of targets)
          if (mac !== undefined) held.set(mac, String(policy));
      },
      clear: async (targets) => {
        await inner.clear(targets);
        for (const { macAddress: mac } of targets) if (mac !== undefined) held.delete(mac);
      },
    }));
    expect(await foundOn(few, ['ancendpoint'], { mode: 'full' })).toEqual(CLEAN);
  });

  it.concurrent('if the number of a removed record is not given again, and an update has to carry every member', async () => {
    const whole = judging((fields, name, { seams }, id) => {
      const held = id === undefined ? {} : seams.store.get(name, id);
      const missing = Object.keys(held ?? {}).filter((member) => member !== 'id' && !(member in fields));
      if (missing.length > 0) refuse(400, `an update replaces the record: ${missing.join()}`);
    });
    const used = new Map<unknown, string>();
    // Those that the deployment generates are its own choice.
    const judge = ({ value }: Fields, id = '') => {
      if ((value === 2 || value === 65_519) && (used.get(value) ?? id) !== id)
        refuse(409, 'a removed group had the value');
    };
    const quarantine = changing('store', (inner) => ({
      create: async (name, fields) => {
        judge(fields);
        const record = await inner.create(name, fields);
        used.set(record['value'], record.id);
        return record;
      },
      update: async (name, id, fields) => {
        judge(fields, id);
        const changes = await inner.update(name, id, fields);
        if (fields['value'] !== undefined) used.set(fields['value'], id);
        return changes;
      },
    }));
    const checks = ['operation/', 'record/', 'negative/', 'bulk/', 'survey/update'];
    expect(await foundOn([whole, quarantine], ['sgt'], { checks })).toEqual(CLEAN);
  });
});

it('a deployment that names what is made is given no third record that nobody can tell as ours', async () => {
  let made = 0;
  const naming = withFields((kind, family, fields) => {
    if (kind !== 'create' || family !== 'sgtvnvlan') return fields;
    made += 1;
    return { ...fields, name: `map_${made}` };
  });
  const { wrong } = await foundOn(changing('store', naming), ['sgtvnvlan']);
  expect(made).toBe(2);
  expect(wrong.map(([checkId, , observed]) => [checkId, observed])).toEqual([
    ['operation/write', '"map_2"'],
    ['record/create', '"map_2"'],
  ]);
});

it('a deployment that reads a form of XML that is not ours is accused of nothing', async () => {
  const byElements = changing('codec', (inner) => ({
    decode: (name, op, text, format) => {
      const { name: _, description: __, ...fields } = inner.decode(name, op, text, format);
      return format === 'xml' ? fields : inner.decode(name, op, text, format);
    },
  }));
  expect(await foundOn(byElements, ['portaltheme'])).toEqual(CLEAN);
});

it('a deployment that takes no empty list is tried with what it takes', async () => {
  const filled = judging((fields) => {
    if (Object.values(fields).some((value) => Array.isArray(value) && value.length === 0)) refuse(400, 'no value');
  });
  const options = { depth: 'normal', families: ['sgt'], checks: ['record/update-fields'] } as const;
  const { results } = await quickRun({ deviations: [filled] }, options);
  expect(results.filter(({ verdict }) => verdict === 'blocked' || verdict === 'fail')).toEqual([]);
});
