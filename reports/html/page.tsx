import { createHash } from 'node:crypto';
import { raw } from 'hono/html';
import type { ExchangeRecord } from '../../lib/records/conformance.ts';
import type { Report } from '../../lib/records/report.ts';
import { Banner, headline } from './banner.tsx';
import { Sprite } from './mark.tsx';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing may be loaded, sent or framed; only our own style and script run, by their digests. */
const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  `script-src ${digest(SCRIPT)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** The whole page. Every text in `report` and `exchanges` must have been made inert before. */
export function Page({ report, exchanges }: { report: Report; exchanges: readonly ExchangeRecord[] }) {
  const { text } = headline(report);
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={POLICY} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>{`${text} · ${report.run.runId}`}</title>
        <style>{raw(STYLE)}</style>
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <Sprite />
        <Banner report={report} />
        <main id="content" class="in" tabindex={-1} />
        <script>{raw(SCRIPT)}</script>
      </body>
    </html>
  );
}
