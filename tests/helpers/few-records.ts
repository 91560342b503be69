import type { Deviation } from '../../reference/deviation.ts';

/** A sound deployment that holds at most so many records of each kind, all with one description if `alike`. */
export function fewRecords(most: number, alike = false): Deviation {
  return {
    install: ({ table, seams }) => {
      for (const [name, family] of Object.entries(table)) {
        if (family.viewOf !== undefined) continue;
        const ids = [...seams.store.list(name).pieces()].flat().map(({ id }) => id);
        for (const id of ids.slice(most)) seams.store.remove(name, id);
        if (alike) for (const id of ids.slice(0, most)) seams.store.update(name, id, { description: 'one text' });
      }
      return {};
    },
  };
}

/** A sound deployment that holds so many security groups, with numbers, texts and truth values of many kinds. */
export function manyRecords(count: number): Deviation {
  return {
    install: ({ seams }) => {
      for (let at = 0; at < count; at += 1)
        seams.store.create('sgt', {
          name: `${['site_', 'Site_', 'ZZ_'][at % 3]}${at}`,
          value: 20_000 + at,
          propogateToApic: at % 2 === 0,
          description: at < 100 ? 'same text' : `office ${(at * 7919) % 1000}`,
        });
      return {};
    },
  };
}
