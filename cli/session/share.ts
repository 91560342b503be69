import { randomBytes } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { makeFolder, placeIn, writeWhole } from '../../lib/records/folder/disk.ts';
import { type Shown, shareable } from '../../lib/records/share/shareable.ts';
import { type RenderedFile, renderReport } from '../../reports/render-run.ts';
import { writing } from '../output/writing.ts';

/** Folder, within that of a run, of the reports that may be given away. */
export const SHARE_FOLDER = 'share';

const KEY_BYTES = 32;

/** Writes rendered reports into a folder, made if need be. Throws `UsageError` where it cannot be written. */
export function writeReports(folder: string, files: readonly RenderedFile[]): void {
  writing(folder, '--out', () => {
    if (basename(folder) === SHARE_FOLDER) makeFolder(dirname(folder), SHARE_FOLDER);
    else makeFolder(folder);
    for (const { name, content } of files) writeWhole(placeIn(folder, name), content);
  });
}

/** Reports of a judged run that may be given away. The key is made for this once and kept nowhere: nobody can try addresses against it. */
export function renderShared(shown: Shown): { readonly shown: Shown; readonly files: readonly RenderedFile[] } {
  const shared = shareable(shown, randomBytes(KEY_BYTES));
  return { shown: shared, files: renderReport(shared.report, shared.exchanges) };
}
