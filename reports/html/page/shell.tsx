import { createHash } from 'node:crypto';
import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { STYLE } from './style.ts';

const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing may be loaded, sent or framed; only our own style and script run, the script by its digest. */
function policyOf(script: string, connects: boolean): string {
  return [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    ...(script === '' ? [] : [`script-src ${digest(script)}`]),
    ...(connects ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

interface ShellParts {
  readonly title: string;
  readonly style?: string;
  /** The only script of the page; none where absent. */
  readonly script?: string;
  /** The script asks the server that the page came from, and no other. */
  readonly connects?: boolean;
  /** What stands between the skip link and the content: the banner and the menu. */
  readonly top: Child;
  readonly footer: Child;
  readonly children: Child;
}

/** The file of a page without network: the frame that the report, the history and the comparison share. Texts must be inert already. */
export function pageText({ title, style = '', script = '', connects = false, top, footer, children }: ShellParts) {
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policyOf(script, connects)} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>{title}</title>
        <style>{raw(STYLE + style)}</style>
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        {top}
        <main id="content" class="in" tabindex={-1}>
          {children}
        </main>
        <footer class="in">{footer}</footer>
        {script === '' ? '' : <script>{raw(script)}</script>}
      </body>
    </html>
  );
  return `<!doctype html>\n${page.toString()}\n`;
}
