import { idOf, isSuccess, recordOf } from '../../../lib/wire/answer.ts';
import { walkList } from '../../../lib/wire/list-walk.ts';
import { holds } from '../../kit/contains-subset.ts';
import { enumeratedMembers } from '../../kit/fields.ts';
import { requesterOf } from '../../kit/list/list-reader.ts';
import { shown } from '../../kit/record/record-reads.ts';
import { byRead, MOST_PAGES, type Window } from './read-window.ts';
import { nameOf, type Story, viewsOf } from './story.ts';

/** Views: they show the record as it is now, and not when it is gone. What one calls the kind of a portal is not shown. */
export const byViews: Window = {
  id: 'views',
  requirement: 'VIEW-PORTAL',
  async look(story, subject) {
    const { scope, family } = story;
    const [neighbor] = story.neighbors;
    for (const view of viewsOf(story)) {
      const served = neighbor === undefined ? undefined : await scope.send('read', { id: neighbor.own.id }, view.name);
      if (served === undefined || !isSuccess(served)) continue;
      const answer = await scope.send('read', { id: subject.id }, view.name);
      const record = isSuccess(answer) ? recordOf(answer) : undefined;
      if ((idOf(record) === subject.id) !== subject.isLive)
        return {
          expected: `${subject.id} ${subject.isLive ? 'in' : 'gone from'} ${view.name}`,
          observed: `status ${answer.status}`,
          about: { kind: 'no-effect', subject: 'view' },
        };
      const hidden = enumeratedMembers(family);
      const shared = Object.keys(subject.fields).filter((each) => each in (record ?? {}) && !hidden.includes(each));
      const wrong = shared.find((member) => !holds(record?.[member], subject.fields[member]));
      if (wrong !== undefined)
        return {
          expected: `${wrong} ${shown(subject.fields[wrong])} in ${view.name}`,
          observed: shown(record?.[wrong]),
          about: { kind: 'value', subject: 'view' },
        };
      const name = subject.fields[nameOf(family)];
      if (!view.filters.includes('name') || name === undefined) continue;
      const filters = [{ field: 'name', operator: 'EQ' as const, value: String(name) }];
      const walk = await walkList(requesterOf(scope, view.name), { list: { filters } }, { pages: MOST_PAGES });
      if (walk.refused === undefined && walk.ids.includes(subject.id) !== subject.isLive)
        return {
          expected: `${subject.id} ${subject.isLive ? 'found' : 'not found'} by its name in ${view.name}`,
          observed: 'the contrary',
          about: { kind: 'records', subject: 'view' },
        };
    }
    return undefined;
  },
};

/** Neighbors: the records that nothing was written to, in this family and in others, are as they were. */
export const byNeighbors: Window = {
  id: 'neighbors',
  async look({ scope, neighbors, records }, subject) {
    for (const { own, shown: before } of neighbors) {
      const answer = await scope.send('read', { id: own.id }, own.family);
      const record = isSuccess(answer) ? recordOf(answer) : undefined;
      const member = Object.keys(before).find((each) => !holds(record?.[each], before[each]));
      if (record === undefined || member !== undefined)
        return {
          expected: `${own.family} ${own.id} untouched${member === undefined ? '' : `: ${member} ${shown(before[member])}`}`,
          observed: member === undefined ? `status ${answer.status}` : shown(record?.[member]),
          about: { kind: member === undefined ? 'missing' : 'value', subject: 'other records' },
        };
    }
    const others = records.filter(({ id }) => id !== subject.id).slice(-1);
    for (const other of others) {
      const found = await byRead.look({ scope, family: { name: other.family } } as Story, other, []);
      if (found !== undefined) return found;
    }
    return undefined;
  },
};
