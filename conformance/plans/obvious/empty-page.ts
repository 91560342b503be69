import { askBeside } from '../../driver/ask.ts';
import { hurried } from '../../driver/settle.ts';
import type { Population } from './population.ts';

/** The largest list whose pages are filled to the last. */
const MOST = 40;

/**
 * Walks the list at sizes that fill its last page. *Implied*: a link that leads to an empty page is of no use; `empty` says where one
 * does, and `pages` how many pages the walks had.
 */
export async function emptyPage({
  session,
  count,
}: Population): Promise<{ readonly empty: string | undefined; readonly pages: number }> {
  const sizes = [count < 10 ? 1 : Math.ceil(count / 2), count].filter((size) => size > 0 && count / size <= MOST);
  let pages = 0;
  for (const size of new Set(sizes)) {
    let empty: number | undefined;
    await hurried(session)(async () => {
      const { family } = session.context;
      const question = { window: 'list', family: family.name, filters: [], size } as const;
      const shown = (await askBeside(session, question))?.shown;
      if (shown === undefined) return true;
      pages = Math.max(pages, shown.pages.length);
      const at = shown.pages.findIndex((page, index) => index > 0 && page.length === 0);
      empty = at < 0 ? undefined : at + 1;
      return at < 0 ? true : undefined;
    });
    if (empty !== undefined) return { empty: `page ${empty} of size=${size} is empty`, pages };
  }
  return { empty: undefined, pages };
}
