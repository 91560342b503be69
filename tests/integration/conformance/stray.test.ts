import { expect, it } from 'vitest';
import { changing } from '../../../reference/deviation.ts';
import { quickRun } from '../../helpers/reference-run.ts';

it('tells a second record that a create in XML makes, though lists show no names', async () => {
  const twice = new Set<unknown>();
  const inXml = changing('codec', (inner) => ({
    decode: (name, op, text, format) => {
      const fields = inner.decode(name, op, text, format);
      if (op === 'create' && format === 'xml') twice.add(fields['sxpVpnName']);
      return fields;
    },
  }));
  const second = changing('store', (inner) => ({
    create: async (name, fields) => {
      const made = await inner.create(name, fields);
      if (twice.delete(fields['sxpVpnName']))
        await inner.create(name, { ...fields, sxpVpnName: `${fields['sxpVpnName']}_1` });
      return made;
    },
  }));
  const options = { visibilityMs: 100, families: ['sxpvpns'], checks: ['survey/'] };
  const { failed } = await quickRun({ deviations: [inXml, second] }, options);
  expect(failed.map(({ requirement }) => requirement)).toEqual(['OP-sxpvpns-C']);
  expect(failed[0]?.onlyIf).toContain('the create is sent in XML');
});
