import { describe, expect, it } from 'vitest';
import { present } from '../../../lib/present.ts';
import { changing, type Deviation, withFields } from '../../../reference/deviation.ts';
import type { BulkRequest, Fields } from '../../../reference/seams.ts';
import { judging, refuse } from '../../helpers/deviations.ts';
import { quickRun } from '../../helpers/reference-run.ts';

type IsRefused = (fields: Fields, isUpdate: boolean) => boolean;
const refusing = (isRefused: IsRefused) =>
  judging((fields, _, __, id) => (isRefused(fields, id !== undefined) ? refuse(400, 'not this value') : undefined));

const failuresOf = async (fault: Deviation, families: readonly string[], checks: readonly string[]) => {
  const { failed } = await quickRun({ deviations: [fault] }, { families, checks });
  return failed.map(({ variant, failure, onlyIf }) => [
    ...[variant, failure?.operation, failure?.kind, failure?.subject, onlyIf],
  ]);
};

describe('a value that the tables state', () => {
  it.concurrent('fails where it is refused, under the value that it is', async () => {
    const fault = refusing(({ portalType }) => portalType === 'SELFREGGUEST');
    expect(await failuresOf(fault, ['hotspotportal'], ['record/each-listed-value'])).toEqual([
      ['portalType.SELFREGGUEST', 'create', 'refused', 'member portalType', 'portalType is "SELFREGGUEST"'],
    ]);
  });

  const isLargest: IsRefused = ({ value }) => value === 65_519;
  const isWithTrue: IsRefused = (fields, is) => isLargest(fields, is) && fields['propogateToApic'] === true;
  it.concurrent.each<[string, IsRefused, operation: string, subject: string, onlyIf: string]>([
    ['beside another one', isWithTrue, 'create', 'request', 'value is 65519, and propogateToApic is true'],
    ['in updates', (fields, is) => is && isLargest(fields, is), 'update', 'member value', 'value is 65519'],
  ])('fails where it is refused %s', async (_, isRefused, operation, ...told) => {
    const failures = await failuresOf(refusing(isRefused), ['sgt'], ['record/boolean']);
    expect(failures).toEqual([['propogateToApic', operation, 'refused', ...told]]);
  });

  it.concurrent('may be what asks for a number in creates alone', async () => {
    const fault = changing('rules', (inner) => ({
      check: (name, op, fields) =>
        op === 'update' && fields['value'] === -1 ? refuse(400, 'not now') : inner.check(name, op, fields),
    }));
    expect(await failuresOf(fault, ['sgt'], ['record/boolean', 'number/'])).toEqual([]);
  });

  it.concurrent("may be another record's for the moment in which a create asks for it", async () => {
    let creates = 0;
    const front = judging(({ value }, _name, _kit, id) => {
      if (id !== undefined || typeof value !== 'number' || value % 65_510 > 9) return;
      creates += 1;
      if (creates % 4 !== 0) refuse(400, `value '${value}' already exists`);
    });
    expect(await failuresOf(front, ['sgt'], ['survey/'])).toEqual([]);
  });

  it.concurrent('is the reason of a refusal, and not the form of the body that holds it', async () => {
    const fault = refusing(({ value }) => Number(value) >= 2 ** 15);
    expect(await failuresOf(fault, ['sgt'], ['body/json-otherwise'])).toEqual([]);
  });
});

it.concurrent.each([
  [500, [[undefined, 'update', 'refused', 'member sgtId', 'sgtId names another record']]],
  [409, []],
])('an update that names another record may be refused, and not be failed at: %d', async (status, expected) => {
  const fault = changing('store', (inner) => ({
    update: (name, id, fields) => {
      const isOther = name === 'sgtvnvlan' && inner.get(name, id)?.['sgtId'] !== fields['sgtId'];
      return isOther ? refuse(status, 'parent key not found') : inner.update(name, id, fields);
    },
  }));
  const failures = await failuresOf(fault, ['sgt', 'sgtvnvlan'], ['survey/update']);
  expect(failures).toEqual(expected);
});

describe('texts that are tried as one', () => {
  const texts = ['record/text', 'xml/text'];
  const losing = (change: Parameters<typeof withFields>[0]) => changing('store', withFields(change));
  it.concurrent.each([
    ['"', '', ['quotes', 'quotes']],
    [/\t|^No$/, ' ', ['breaks', 'answer', 'answer']],
  ])(
    'come back one by one if the target loses some of them, and those alone are told: %s',
    async (sign, by, variants) => {
      const loses = losing((_kind, _name, fields) => ({
        ...fields,
        description: `${fields['description'] ?? ''}`.replace(sign, by),
      }));
      expect((await failuresOf(loses, ['byodportal'], texts)).map(([variant]) => variant)).toEqual(variants);
    },
  );

  it.concurrent('are told if an update gives them to a record that held the same', async () => {
    let last = '';
    const spreading = changing('store', (inner) => ({
      create: async (...fields) => {
        const made = await inner.create(...fields);
        last = made.id;
        return made;
      },
      update: async (name, id, fields) => {
        const [own, other] = [id, last].map((each) => inner.get(name, each)?.['description']);
        if (own === other) await inner.update(name, last, { description: fields['description'] });
        return inner.update(name, id, fields);
      },
    }));
    const failed = await failuresOf(spreading, ['portaltheme'], ['record/text']);
    expect(failed[0]?.slice(1, 4)).toEqual(['update', 'no-effect', 'other records']);
  });

  it.concurrent('are told by the objects that hold them too', async () => {
    const lost = (value: unknown) => JSON.parse(JSON.stringify(value ?? null).replace('😀', '?'));
    const loses = losing((_kind, _name, fields) => ({ ...fields, customizations: lost(fields['customizations']) }));
    const failed = await failuresOf(loses, ['hotspotportal'], ['record/text']);
    expect(failed.map(([variant]) => variant)).toEqual(['plane']);
  });
});

it('the monitor of a bulk request is right about a record that is gone, whichever error a read of it is answered with', async () => {
  const options = { mode: 'full', depth: 'normal', families: ['sxpvpns'], checks: ['bulk/'] } as const;
  for (const variation of ['V15', 'V15b']) {
    const { results } = await quickRun({ variations: [variation] }, options);
    const items = results.find(({ checkId }) => checkId === 'bulk/items');
    expect([variation, items?.verdict, items?.observed]).toEqual([variation, 'pass', undefined]);
  }
});

it('a target that demands a description of each create leaves no question about filters open', async () => {
  const { results } = await quickRun({ variations: ['V19'] }, { families: ['sgt'], checks: ['filter/'] });
  const open = results.filter(({ verdict }) => verdict === 'inconclusive' || verdict === 'blocked');
  expect(open.map(({ checkId, reason }) => [checkId, reason])).toEqual([]);
});

describe('a bulk request of which one item is refused', () => {
  const judged = async (fault?: Deviation) => {
    const options = { mode: 'full', families: ['sgt'], checks: ['bulk/'] } as const;
    const { failed, cleanup } = await quickRun({ deviations: present(fault) }, options);
    expect(cleanup.residue).toEqual([]);
    return failed;
  };
  const cutAt = (isTaken: (name: unknown) => boolean, { action, resources }: BulkRequest): number =>
    action === 'create' ? resources.findIndex(({ name }) => isTaken(name)) + 1 || resources.length : resources.length;

  const few = (action: string) =>
    changing('bulk', (inner) => ({
      submit: (name, { resources, ids, ...request }) => {
        const most = request.action === action ? 9 : 99;
        return inner.submit(name, { ...request, resources: resources.slice(0, most), ids: ids.slice(0, most) });
      },
    }));
  let isStuck = false;
  const sticks = changing('bulk', (inner) => ({
    submit: (name, request) => (isStuck ? refuse(503, 'busy') : inner.submit(name, request)),
    monitor: (name, id) => {
      const state = inner.monitor(name, id);
      isStuck ||= state?.results.some(({ failure }) => failure !== undefined) === true;
      return state;
    },
  }));
  const beyond = changing('rules', (inner) => ({
    inRange: (value, ...of) => value > 9 || inner.inRange(value, ...of),
  }));

  it.concurrent.each<[string, Deviation | undefined, expected: string[]]>([
    ['does the others', undefined, []],
    ['stores no number beyond its range', beyond, ['LIM-SGT undefined']],
    ['leaves nothing behind for which all others are refused', sticks, ['SPC-BULK undefined']],
    ['makes all of many', few('create'), ['SPC-BULK the request names at least 10 records']],
    ['removes all of many', few('delete'), ['SPC-BULK the request names at least 10 records']],
  ])('%s', async (_, fault, expected) => {
    expect((await judged(fault)).map(({ requirement, onlyIf }) => `${requirement} ${onlyIf}`)).toEqual(expected);
  });

  it.concurrent('may do nothing behind the refused one, but does not tell that it did', async () => {
    const asked = new Map<string, BulkRequest>();
    const stops = (isTold: boolean) =>
      changing('bulk', (inner, { seams: { store } }) => ({
        submit: (name, request) => {
          const end = cutAt((given) => store.find(name, 'name', given) !== undefined, request);
          const id = inner.submit(name, { ...request, resources: request.resources.slice(0, end) });
          asked.set(id, request);
          return id;
        },
        monitor: (name, id) => {
          const [state, request] = [inner.monitor(name, id), asked.get(id)];
          if (state === undefined || request === undefined || !state.done) return state;
          const rest = request.resources.slice(state.results.length);
          const none = { id: '', name: '', description: '', ...(isTold ? {} : { failure: 'not tried' }) };
          return { ...state, request, results: [...state.results, ...rest.map(() => none)] };
        },
      }));
    expect(await judged(stops(false))).toEqual([]);
    const [failed, ...more] = await judged(stops(true));
    expect([failed?.checkId, failed?.requirement, more]).toEqual(['bulk/effect', 'SPC-BULK', []]);
  });
});
