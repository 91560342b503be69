import type { Deviation } from '../../reference/deviation.ts';

/** A sound deployment that holds at most so many records of each kind, all with one description if `alike`. */
export function fewRecords(most: number, alike = false): Deviation {
  return {
    id: `few-${most}`,
    title: `at most ${most} records of each kind${alike ? ', with one description' : ''}`,
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
