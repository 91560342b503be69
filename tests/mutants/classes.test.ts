import { describe, expect, it } from 'vitest';
import type { Depth } from '../../lib/records/vocabulary.ts';
import { scoreOfLines } from '../helpers/in-selftest.ts';
import { oneIn } from '../helpers/sample.ts';

/** One generated defect of each class of mistakes that depend on state, interplay or values, and the least depth that finds it if it is not `quick`. */
const CLASSES: readonly (readonly [mistake: string, line: string, depth?: Depth])[] = [
  ['a bulk create that does nothing every second time', 'bulk-undone sxpvpns action=create @second'],
  ['long values', 'written-cut-255 sgt member=description op=update by=update sent=json @always'],
  ['a write to an id that names nothing', 'id-unknown sgt op=update @always', 'normal'],
  ['windows after a write', 'stale-window sgt write=delete window=filtered @always'],
  ['a name used again', 'name-reused sgt effect=revived @always', 'normal'],
  ['integers beyond storage', 'filter-overflow-16 sgt field=value operator=GT @always'],
  ['criteria over different fields', 'join-fields-by-and sgt feature=filter @always'],
  ['effect of a header', 'request-emptied sgt op=list feature=csrf @always'],
  [
    'a sort by a length that all have',
    'sort-by-length ancendpoint field=name direction=sortasc feature=sort @with-extra',
    'normal',
  ],
  ['an update in XML', 'written-lost sgt member=description op=update by=update sent=xml @always'],
  ['parallel writes', 'parallel-lost sgt write=update @always'],
  ['another endpoint', 'anc-other-endpoint ancendpoint op=apply by=mac @always'],
  ['texts of digits', 'seen-number-like sgt member=name window=entry-xml @always', 'normal'],
  ['a header on later pages', 'seen-cut-255 byodportal member=description window=entry @with-media-type', 'normal'],
  ['a monitor that forgets', 'bulk-monitor sgt effect=lost @second'],
  ['records without their name', 'written-lost hotspotportal member=name op=create by=create sent=json @nth'],
  ['the kind of a portal', 'written-kept byodportal member=portalType op=update by=update sent=json @always', 'normal'],
  ['an apply that stores nothing', 'anc-undone ancendpoint op=apply by=mac @nth'],
];

/** The same of the space that no check was written with. */
const HELD_OUT: typeof CLASSES = [
  ['a list while a record is made', 'queries-while-written sgt kind=plain effect=first-twice @always'],
  [
    'a create that replaces its likeness',
    'relations-alike-harm sxpvpns like=other-sign harm=create-overwrites-it @always',
    'normal',
  ],
  [
    'an update that reaches its likeness',
    'relations-alike-harm sgt like=continues harm=update-describes-it-too @always',
    'normal',
  ],
  ['what was asked for by another create', 'history-effect hotspotportal past=wanted effect=not-read @always'],
  ['an update after a refused one', 'history-effect sgtvnvlan past=mended effect=update-keeps-name @always'],
  ['an update with an empty text', 'values-empty sgt op=update member=description effect=keeps-it @always', 'normal'],
  ['a record of others while one is made', 'queries-while-written byodportal kind=plain effect=first-lost @always'],
  ['a character across a block', 'values-split-character sgt op=create member=description at=1024 @always', 'normal'],
];

describe.each([
  ['generated', CLASSES],
  ['held-out', HELD_OUT],
] as const)('a %s defect of each class', (space, all) => {
  it('is found by the suite alone', async () => {
    const classes = oneIn(all.length, all);
    for (const depth of ['quick', 'normal'] as const) {
      const lines = classes.filter(([, , least = 'quick']) => least === depth).map(([, line]) => line);
      const { survivors, total } = await scoreOfLines(space, lines, depth);
      expect(survivors.map(({ id }) => all.find(([, line]) => line === id)?.[0] ?? id)).toEqual([]);
      expect(total).toMatchObject({ killed: lines.length, of: lines.length });
    }
  }, 300_000);
});
