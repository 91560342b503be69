import { createHash } from 'node:crypto';
import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';

/** The page's only style sheet: light and dark by tokens, print in black on white, shapes beside every color. */
const STYLE = `
:root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--ink:#16202c;--soft:#526071;--line:#d9dee5;--faint:#eef1f4;--link:#0b57a4;
--good:#176b36;--good-bg:#e4f4ea;--bad:#a8201a;--bad-bg:#fdeae8;--open:#7a4b00;--open-bg:#fdf1d8;--info:#2f568c;--mute:#6a7585;--hold:#5b4591;
--s1:#0b57a4;--s2:#a8501a;--r:10px}
@media (prefers-color-scheme:dark){:root{--bg:#10151b;--card:#182029;--ink:#e8edf3;--soft:#a7b4c3;--line:#313c49;--faint:#222c37;--link:#7db8f5;
--good:#6fce93;--good-bg:#14301f;--bad:#ff9c94;--bad-bg:#3a1a1a;--open:#f2c063;--open-bg:#352810;--info:#94bdf2;--mute:#97a4b3;--hold:#bfaaf2;--s1:#7db8f5;--s2:#f0a36b}}
*{box-sizing:border-box}html{scroll-padding-top:56px}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
a{color:var(--link)}a:focus-visible,summary:focus-visible,input:focus-visible,select:focus-visible,button:focus-visible,.wide:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.in{max-width:1240px;margin:0 auto;padding:0 24px}.skip{position:absolute;left:-9999px}.skip:focus{left:8px;top:8px;background:var(--card);padding:8px;z-index:9}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
header.top{background:var(--card);border-bottom:1px solid var(--line);border-top:6px solid var(--mute);padding:24px 0 20px}
header.good{border-top-color:var(--good)}header.bad{border-top-color:var(--bad)}header.open{border-top-color:var(--open)}
.brand{color:var(--soft);font-size:13px;letter-spacing:.02em;margin:0 0 6px;overflow-wrap:anywhere}
.title{font-size:17px;font-weight:600;margin:0 0 4px}h1{font-size:22px;line-height:1.25;overflow-wrap:anywhere;margin:0 0 6px;letter-spacing:-.01em}h2{font-size:19px;margin:0 0 4px}h3{font-size:16px;margin:0}
.good h1,.t-good{color:var(--good)}.bad h1,.t-bad{color:var(--bad)}.open h1,.t-open{color:var(--open)}
.lead{color:var(--soft);margin:0 0 14px;max-width:90ch}
.why{margin:0 0 4px;padding-left:18px}.why li{overflow-wrap:anywhere}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(190px,1fr));gap:8px 20px;margin:14px 0 0}
.facts div{min-width:0}.facts dt{font-size:12px;color:var(--soft)}.facts dd{margin:0;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
.stamp{display:inline-block;background:var(--open-bg);color:var(--open);border:1px solid var(--open);border-radius:6px;padding:2px 8px;font-size:13px;font-weight:600}
nav.page{position:sticky;top:0;background:var(--card);border-bottom:1px solid var(--line);z-index:5}
nav.page ul{display:flex;flex-wrap:wrap;gap:2px 4px;list-style:none;padding-top:6px;padding-bottom:6px}nav.page li{margin-left:-10px;margin-right:10px}nav.page a{display:block;padding:5px 10px;text-decoration:none;border-radius:6px;font-size:14px}nav.page a:hover{background:var(--faint)}
main section.plain{border:0;padding:0;margin:10px 0;border-radius:0}main>section{background:var(--card);border:1px solid var(--line);border-radius:var(--r);padding:20px 22px;margin:18px 0;min-width:0}
.strip{display:grid;grid-template-columns:repeat(auto-fit,minmax(140px,1fr));gap:10px;list-style:none;padding:0;margin:10px 0 0}
.strip li{border:1px solid var(--line);border-radius:8px}.strip span.n{display:block;padding:10px 12px;color:inherit;text-decoration:none}
.strip b{display:block;font-size:24px;line-height:1.15;font-variant-numeric:tabular-nums}.strip small{color:var(--soft)}
.wide{overflow-x:auto;margin:10px 0;position:relative}table{border-collapse:collapse;width:100%;font-size:14px;font-variant-numeric:tabular-nums}
caption{text-align:left;color:var(--soft);font-size:13px;padding:0 0 6px}.cells{font-size:12.5px}.cells th,.cells td{padding:4px 5px}.cells thead th{font-size:11.5px}.cells tbody th{white-space:nowrap}th,td{border-bottom:1px solid var(--line);padding:5px 8px;text-align:left;vertical-align:top}
thead th::first-letter{text-transform:uppercase}thead th{background:var(--faint);font-size:12.5px;font-weight:600;white-space:nowrap}td.num,th.num{text-align:right;white-space:nowrap}
tr.bad>td,tr.bad>th{background:var(--bad-bg)}tr.open>td,tr.open>th{background:var(--open-bg)}tbody th{font-weight:600}
svg.k{width:18px;height:18px;vertical-align:-4px;flex:none}svg.k text{font:700 10.5px system-ui,sans-serif}svg.k+span{line-height:18px}
.v{display:inline-flex;gap:5px;align-items:center;vertical-align:-4px;white-space:nowrap;font-weight:600}
.v-pass,.v-met,.v-conformant{color:var(--good)}.v-fail,.v-violated,.v-non-conformant,.v-error{color:var(--bad)}.v-warn,.v-inconclusive,.v-invalid{color:var(--open)}.v-info{color:var(--info)}.v-blocked{color:var(--hold)}.v-not-applicable,.v-not-testable,.v-not-tested{color:var(--mute)}
details>summary{cursor:pointer;padding:4px 0;min-height:24px}details.card{border:1px solid var(--line);border-radius:8px;margin:10px 0;padding:2px 14px}details.card[open]{padding-bottom:14px}
details.card>summary{padding:8px 0;overflow-wrap:anywhere}.finding summary .where{color:var(--soft);font-weight:400}
.two{display:grid;grid-template-columns:1fr 1fr;gap:12px}.two>div{min-width:0}.two h3,.ex h3{font-size:12.5px;color:var(--soft);margin:8px 0 2px;font-weight:600}
pre{background:var(--faint);border:1px solid var(--line);border-radius:6px;padding:8px 10px;margin:2px 0;font:12.5px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
code{font:.92em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}.ex{border-left:3px solid var(--line);padding-left:12px;margin:10px 0}
.req{border-left:3px solid var(--info);padding:2px 12px;margin:8px 0}.req p{margin:0}.soft{color:var(--soft)}.small{font-size:13px}
.proof{display:flex;gap:8px 24px;flex-wrap:wrap;align-items:baseline;margin:0}.charts{display:grid;grid-template-columns:1fr 1fr;gap:16px}.charts figure{margin:0;min-width:0}figcaption{font-size:13px;color:var(--soft);margin-bottom:2px}
svg.chart{width:100%;height:auto;display:block}svg.chart text{font:11px system-ui,sans-serif;fill:var(--soft)}svg.chart .grid{stroke:var(--line)}svg.chart .a{stroke:var(--s1)}svg.chart .b{stroke:var(--s2);stroke-dasharray:6 3}svg.chart .b.plain{stroke-dasharray:none}svg.chart .line{fill:none;stroke-width:1.8}svg.chart .limit{stroke:var(--bad);stroke-dasharray:2 3}svg.chart .cross{stroke:var(--bad);stroke-width:2;fill:none}svg.chart line.held{stroke:var(--good);stroke-width:1.4}svg.chart text.held,svg.chart tspan.held{fill:var(--good);font-weight:600}svg.chart rect.lost{fill:var(--bad);opacity:.25}svg.chart text.lost,svg.chart tspan.lost{fill:var(--bad);font-weight:600}
svg.chart text.a,svg.chart tspan.a{fill:var(--s1);stroke:none;font-weight:600}svg.chart text.b,svg.chart tspan.b{fill:var(--s2);stroke:none;font-weight:600}
.filter{display:none;gap:10px;flex-wrap:wrap;align-items:end;margin:8px 0}.js .filter{display:flex}.filter label{font-size:12.5px;color:var(--soft)}.filter input,.filter select{display:block;font:inherit;padding:5px 8px;border:1px solid var(--mute);border-radius:6px;background:var(--card);color:var(--ink);min-height:32px}
footer{color:var(--soft);font-size:13px;padding:8px 0 40px}[hidden]{display:none!important}:target{outline:3px solid var(--link);outline-offset:2px}
@media (max-width:820px){.two,.charts{grid-template-columns:1fr}h1{font-size:20px}.in{padding:0 12px}nav.page ul{flex-wrap:nowrap;overflow-x:auto}nav.page a{white-space:nowrap}caption{position:sticky;left:0;max-width:calc(100vw - 76px)}.charts svg.chart text{font-size:15px}.stacked thead{position:absolute;clip-path:inset(50%)}.stacked tr{display:block;padding:6px 0}.stacked tbody :is(td,th){display:block;border:0;padding:2px 8px;text-align:left;white-space:normal;overflow-wrap:anywhere}.stacked td::before{content:attr(data-of) ": ";color:var(--soft)}}
@media print{:root{color-scheme:light;--bg:#fff;--card:#fff;--ink:#000;--soft:#333;--line:#999;--faint:#f3f3f3;--link:#000;--good:#176b36;--bad:#a8201a;--open:#7a4b00;--info:#2f568c;--mute:#555;--hold:#5b4591;--good-bg:#fff;--bad-bg:#fff;--open-bg:#fff;--s1:#0b57a4;--s2:#a8501a}
@page{size:A4;margin:14mm}body{font-size:10.5px}nav.page,.filter,.skip,.ex,.no-print,.cell:not(.shown),section:has(>#findings),section:has(>#coverage),section:has(>#dialect),section:has(>#results){display:none!important}
main>section{border:0;padding:0;margin:8px 0}h2,h3,caption{break-after:avoid}tr,figure,li{break-inside:avoid}details.shown::details-content{content-visibility:visible;block-size:auto}.wide{overflow:visible}header.top{border-top:4px solid #000;padding:0}a{color:inherit}h1{font-size:22px}.charts{grid-template-columns:1fr 1fr}table{font-size:9.5px}.cells{font-size:8px}.cells thead th{font-size:8px}}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
`;

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
  /** The only script of the page; none if absent. */
  readonly script?: string;
  /** The script asks the server that the page came from, and no other. */
  readonly connects?: boolean;
  /** What stands between the skip link and the content: the banner and the menu. */
  readonly top: Child;
  readonly footer: Child;
  readonly children: Child;
}

// At its first rendering hono looks for an AsyncLocalStorage to keep contexts in, and on Node 20 and 22 one in use makes
// every promise of the process dearer, those of the load too. No page waits for anything: they need none.
const { getBuiltinModule } = process;
Reflect.deleteProperty(process, 'getBuiltinModule');
String(<i />);
process.getBuiltinModule = getBuiltinModule;

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
