import type { Operator } from '../../../lib/contract/list.ts';
import { type Family, hasOp } from '../../../lib/contract/types.ts';
import { memberOf } from '../../../lib/contract/vendor.ts';
import { head } from '../../../lib/text.ts';
import { isSuccess, type JsonObject, recordOf } from '../../../lib/wire/answer.ts';
import { walkList } from '../../../lib/wire/list-walk.ts';
import type { Filter } from '../../../lib/wire/query.ts';
import { escapeXml } from '../../../lib/wire/xml.ts';
import { holds } from '../../kit/contains-subset.ts';
import { requesterOf } from '../../kit/list/list-reader.ts';
import { isSettable, kindOf } from '../../kit/list/value.ts';
import { memberDifference } from '../../kit/record/member-failure.ts';
import { shown } from '../../kit/record/record-reads.ts';
import { byNeighbors, byViews } from './other-windows.ts';
import { byRead, MOST_PAGES, type Window } from './read-window.ts';
import type { Story } from './story.ts';

/** The same in XML, where the deployment answers in XML: every plain text of the record stands in it. */
const byXml: Window = {
  id: 'read-xml',
  requirement: 'SVC-1',
  async look({ context, scope, family }, subject) {
    if (!String(context.run.dialect('xml.response')).includes('xml') || !subject.isLive) return undefined;
    const answer = await scope.send('read', { id: subject.id, headers: { accept: 'application/xml' } }, family.name);
    if (!isSuccess(answer) || recordOf(answer) !== undefined) return undefined;
    const plain = Object.entries(subject.fields).filter(([, value]) => /^[\w -]+$/.test(String(value)));
    const lost = plain.find(([, value]) => !answer.body.includes(escapeXml(String(value))));
    return lost === undefined
      ? undefined
      : {
          expected: `${lost[0]} ${shown(lost[1])} in a read as XML`,
          observed: head(answer.body, 300),
          about: { kind: 'missing', subject: `member ${lost[0]}` },
        };
  },
};

/** A filter that selects the records of the story; none where the family has no filter on names. */
function scopeOf({ family, base }: Story): readonly Filter[] {
  return family.filters.includes('name') ? [{ field: 'name', operator: 'STARTSW', value: base }] : [];
}

async function listed(story: Story, filters: readonly Filter[], sort: object = {}) {
  const { scope, family } = story;
  const list = { ...(filters.length === 0 ? {} : { filters }), ...sort, size: 100 };
  const walk = await walkList(requesterOf(scope, family.name), { list }, { pages: MOST_PAGES, anySize: true });
  return walk.refused !== undefined || walk.cut !== undefined ? undefined : walk;
}

/** The list: every live record once, no other of the story, and what its entries show. */
const byList: Window = {
  id: 'list',
  requirement: 'SVC-1',
  async look(story) {
    const walk = await listed(story, scopeOf(story));
    if (walk === undefined) return undefined;
    const known = new Map(story.records.map((record) => [record.id, record]));
    const live = story.records.filter(({ isLive }) => isLive);
    const missing = live.filter(({ id }) => !walk.ids.includes(id));
    const isOurs = (record: JsonObject) => String(record['name'] ?? '').startsWith(story.base);
    const neighbors = new Set(story.neighbors.map(({ own }) => own.id));
    const extra = walk.items.filter(({ id, record }) => {
      const one = known.get(id);
      return one === undefined ? isOurs(record) && !neighbors.has(id) : !one.isLive;
    });
    const twice = walk.ids.filter((id, index) => known.has(id) && walk.ids.indexOf(id) !== index);
    if (missing.length + extra.length + twice.length > 0) {
      const observed = `${missing.length} missing, ${extra.length} too many, ${twice.length} twice`;
      return {
        expected: `the list to hold the ${live.length} records of the story once each`,
        observed,
        about: { kind: 'records', subject: 'list' },
      };
    }
    for (const { id, record } of walk.items) {
      const fields = known.get(id)?.fields;
      const member = Object.keys(fields ?? {}).find((each) => each in record && !holds(record[each], fields?.[each]));
      if (member !== undefined)
        return memberDifference(member, record[member], `${member} ${shown(fields?.[member])} in the entry of ${id}`);
    }
    return undefined;
  },
};

/** Fields of a list that a write can set. */
const fieldsFor = (family: Family, of: 'filters' | 'sorts', changed: readonly string[]) =>
  family[of].filter((field) => isSettable(family, field) && changed.includes(memberOf(family.name, field)));

/** Questions about one value of a field: who is found by it, and who by its negation. */
function questionsOf(family: Family, field: string, value: unknown): readonly (readonly [Operator, string, boolean])[] {
  const text = String(value);
  const kind = kindOf(family, field);
  if (kind === 'integer')
    return [
      ['EQ', text, true],
      ['GT', String(Number(value) - 1), true],
    ];
  if (kind === 'boolean') return [['EQ', text, true]];
  return [
    ['EQ', text, true],
    ['NSTARTSW', text, false],
  ];
}

/** Filters: the record is found by what it holds now, and no longer by what it held before. */
const byFilters: Window = {
  id: 'filters',
  requirement: 'SVC-1',
  async look(story, subject, changed) {
    const { family } = story;
    for (const field of fieldsFor(family, 'filters', changed)) {
      const member = memberOf(family.name, field);
      const within = field === 'name' ? [] : scopeOf(story);
      const now = subject.fields[member];
      const asked = now === undefined ? [] : questionsOf(family, field, now);
      const old = subject.former[member]?.find((value) => String(value).toLowerCase() !== String(now).toLowerCase());
      const before = old === undefined ? [] : ([['EQ', String(old), false]] as const);
      for (const [operator, value, isFound] of [...asked, ...before]) {
        const walk = await listed(story, [...within, { field, operator, value }]);
        if (walk === undefined) continue;
        const wanted = isFound && subject.isLive;
        if (walk.ids.includes(subject.id) !== wanted)
          return {
            expected: `${subject.id} ${wanted ? 'among' : 'not among'} the records of filter=${field}.${operator}.${value}`,
            observed: wanted ? 'it is missing' : 'it is there',
            about: { kind: 'records', subject: `filter ${field}.${operator}` },
          };
      }
    }
    return undefined;
  },
};

const key = (value: unknown): string | number => (typeof value === 'number' ? value : String(value));

/** Sorts: the live records of the story stand in the order of what they hold now. */
const bySorts: Window = {
  id: 'sorts',
  requirement: 'LST-SORT',
  async look(story, _subject, changed) {
    const { family } = story;
    for (const field of fieldsFor(family, 'sorts', changed)) {
      const member = memberOf(family.name, field);
      const walk = await listed(story, scopeOf(story), { sortAsc: field });
      if (walk === undefined) continue;
      const live = new Map(story.records.map((record) => [record.id, record]));
      const keys = walk.ids.flatMap((id) => live.get(id)?.fields[member] ?? []).map(key);
      const at = keys.findIndex((each, index) => index > 0 && each < (keys[index - 1] as typeof each));
      if (at > 0)
        return {
          expected: `sortasc=${field} in the order of the values`,
          observed: keys.join(', '),
          about: { kind: 'value', subject: `sort ${field}.asc` },
        };
    }
    return undefined;
  },
};

/** Every way to see what a write did, the plainest first. */
const WINDOWS: readonly Window[] = [byRead, byNeighbors, byXml, byList, byFilters, bySorts, byViews];

/** Windows that a family has. */
export const windowsOf = (family: Family): readonly Window[] =>
  WINDOWS.filter(({ id }) => (id === 'list' || id === 'filters' || id === 'sorts' ? hasOp(family, 'list') : true));
