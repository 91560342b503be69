import { expect, it } from 'vitest';
import { oldNode } from '../../../lib/package-root.ts';

it.each([
  ['20.20.2', 'Node 20 has ended: use Node 22 or later'],
  ['21.7.3', 'Node 21 has ended: use Node 22 or later'],
  ['22.0.0', undefined],
  ['26.1.0', undefined],
])('of Node %s says %s', (release, said) => {
  expect(oldNode(release)).toBe(said);
});
