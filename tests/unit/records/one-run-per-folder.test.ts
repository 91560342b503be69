import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRunFolder } from '../../../lib/records/folder/writer.ts';
import { folderOfTests } from '../../helpers/folder.ts';

const folder = folderOfTests();

describe('a run folder', () => {
  it('is opened by one of two runs that begin at the same time', () => {
    const out = join(folder, 'run');
    const first = openRunFolder(out);
    expect(() => openRunFolder(out)).toThrow(/already holds a run/);
    first.close();
  });
});
