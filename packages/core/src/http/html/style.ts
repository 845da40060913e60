import { createHash } from 'node:crypto'
import { DEFAULT_COLORS, type Theme } from '../../model/theme.ts'

/** The CSS variables of colors. */
const variables = (colors: Theme['light']) =>
  Object.entries(colors)
    .map(([name, color]) => `--${name}:${color};`)
    .join('')

/** The style sheet of every page. */
const STYLE = `
:root{color-scheme:light dark;${variables(DEFAULT_COLORS.light)}--bad:#a3271c;
--serif:Charter,"Bitstream Charter","Sitka Text",Cambria,Georgia,serif;
--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
@media(prefers-color-scheme:dark){:root{${variables(DEFAULT_COLORS.dark)}--bad:#f0938a}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0 auto;max-width:44rem;padding:0 1.25rem 3rem;background:var(--paper);color:var(--ink);font:1.0625rem/1.65 var(--serif);overflow-wrap:anywhere}
a{color:var(--accent);text-decoration-thickness:1px;text-underline-offset:.18em}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:2px solid var(--accent);outline-offset:3px;border-radius:2px}
main:focus{outline:none}
.skip{position:absolute;inset-inline-start:-99rem;top:.5rem;padding:.4rem .9rem;background:var(--ink);color:var(--paper);font:.9rem var(--sans);z-index:1}
.skip:focus{inset-inline-start:1rem}
.bar,footer,.soft,.chips,.facts,.sections,.offer,.label{font-family:var(--sans)}
.bar{display:flex;align-items:baseline;flex-wrap:wrap;gap:.2rem .6rem;padding:1.1rem 0;font-size:.9rem;line-height:1.5}
.bar a{color:var(--soft);text-decoration:none}
.bar a:hover{color:var(--accent);text-decoration:underline}
.bar>a{color:var(--ink);font-weight:600}
.bar ol{display:flex;flex-wrap:wrap;margin:0;padding:0;list-style:none}
.bar nav:not(.site){order:1;flex-basis:100%}
.bar li+li::before{content:"/";margin-inline-end:.6rem;color:var(--line)}
.bar li{margin:0;margin-inline-end:.6rem}
.bar img{height:1.6rem;vertical-align:middle;margin-inline-end:.5rem;border-radius:0}
.bar .site{display:flex;flex-wrap:wrap;gap:.2rem 1rem;margin-inline-start:auto}
main{padding-top:1.5rem}
h1,h2,h3,h4,h5,h6{line-height:1.25;text-wrap:balance;margin:2.4rem 0 .8rem;font-weight:600}
h1{font-size:clamp(1.9rem,1.4rem + 2.4vw,2.6rem);letter-spacing:-.015em;margin:0 0 .9rem}
h2{font-size:1.4rem;letter-spacing:-.005em}
h3{font-size:1.15rem}
h4,h5,h6{font-size:1rem}
h2,h3,h4,h5,h6{scroll-margin-top:1rem}
.anchor{margin-inline-start:.4em;color:var(--line);text-decoration:none;font-weight:400}
:is(h2,h3,h4,h5,h6):not(:hover)>.anchor{visibility:hidden}
p,ul,ol,dl,pre,blockquote,.wide,figure{margin:0 0 1.1rem}
ul,ol{padding-inline-start:1.4rem}
li{margin:.2rem 0}
li>p{margin:0 0 .5rem}
li::marker{color:var(--soft)}
img,.qr{max-width:100%;height:auto;border-radius:6px}
.qr{display:block;margin:0 0 1.1rem}
blockquote{margin-inline-start:0;padding-block:.1rem;padding-inline-start:1.2rem;border-inline-start:3px solid var(--line);color:var(--soft)}
blockquote>:last-child{margin-bottom:0}
main :is(p,li,dt,dd,th,td,h1,h2,h3,h4,h5,h6,summary,blockquote){unicode-bidi:plaintext;text-align:start}
main h1[dir]{unicode-bidi:isolate}
code,pre,kbd{font-family:var(--mono);font-size:.86em;direction:ltr;unicode-bidi:isolate}
code{background:var(--tint);padding:.12em .35em;border-radius:4px}
pre{background:var(--tint);padding:1rem 1.1rem;border-radius:8px;overflow-x:auto;line-height:1.5}
pre code{background:none;padding:0;font-size:1em}
pre.written,pre.said{white-space:pre-wrap}
hr{border:0;border-top:1px solid var(--line);margin:2.5rem 0}
.wide{overflow-x:auto}
table{overflow-wrap:break-word;border-collapse:collapse;font:.92rem/1.5 var(--sans);min-width:50%}
th,td{padding-block:.45rem;padding-inline:0 1.2rem;border-bottom:1px solid var(--line);text-align:start;vertical-align:top}
[align=right]{text-align:end}[align=center]{text-align:center}
th{font-weight:600}
div[lang=en] td:last-child{min-width:14rem}
mark{background:#ffe58a;color:#1c1b19;border-radius:2px}
input[type=checkbox]{margin:0;margin-inline-end:.4em}
.contains-task-list{list-style:none;padding-inline-start:.2rem}
.footnotes{margin-top:2.5rem;padding-top:1rem;border-top:1px solid var(--line);font-size:.92rem;color:var(--soft)}
.sr-only{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.label{font-size:.8rem;letter-spacing:.06em;text-transform:uppercase;color:var(--soft);margin:0 0 .5rem}
.lead{font-size:1.15rem;color:var(--soft);margin:0 0 1.2rem}
.soft{color:var(--soft);font-size:.9rem}
.person{display:flex;gap:1.4rem;align-items:center;margin-bottom:1.6rem}
.person>div{min-width:0}
.person h1{margin:0}
.person .lead{margin:.3rem 0 0}
.face{width:5.5rem;height:5.5rem;flex:none;border-radius:50%;object-fit:cover;background:var(--tint)}
.chips{display:flex;flex-wrap:wrap;gap:.45rem;padding:0;list-style:none;font-size:.9rem}
.chips li{max-width:100%;margin:0;padding:.15rem .7rem;border:1px solid var(--line);border-radius:1rem}
.facts{display:grid;grid-template-columns:minmax(6rem,max-content) 1fr;gap:.4rem 1.4rem;font-size:.95rem}
.facts dt{color:var(--soft)}
.facts dd{margin:0;min-width:0}
:is(.facts,.tree,.tiers,.offer) :is(li,p,dt,dd,h2,h3){text-align:left}
[dir=rtl] :is(.facts,.tree,.tiers,.offer) :is(li,p,dt,dd,h2,h3){text-align:right}
address{font-style:normal}
.sections{border-block:1px solid var(--line);padding:.7rem 0;margin:0 0 1.8rem;font-size:.95rem}
summary{cursor:pointer}
details>:not(summary){margin-top:.7rem}
.sections summary{color:var(--soft)}
.sections ul{list-style:none;padding:0;margin-bottom:0}
.sections .d3{padding-inline-start:1.2rem}
.tree,.tree ul{list-style:none;padding-inline-start:0}
.tree ul{padding-inline-start:1.1rem;border-inline-start:1px solid var(--line);margin:.5rem 0 1rem}
.tree>ul{border:0;padding:0;margin:0}
.tree li{margin:.65rem 0}
.tree p{margin:.1rem 0 0;color:var(--soft);font-size:.95rem}
.tree .category{font-weight:600;font-size:1.1rem}
.price{font:.78rem/1 var(--sans);white-space:nowrap;color:var(--accent);border:1px solid currentColor;border-radius:99px;padding:.15rem .55rem;margin-inline-start:.5rem;vertical-align:.1em}
.offer{border:1px solid var(--line);border-radius:12px;padding:1.3rem 1.4rem;margin:1.8rem 0;background:var(--tint);font-size:.95rem}
.offer h2{font-family:var(--serif);margin:0 0 .6rem}
.offer .amount{font:600 1.7rem/1.3 var(--serif);margin:0}
.amount small{font:400 .95rem var(--sans);color:var(--soft);white-space:nowrap}
.offer>:last-child{margin-bottom:0}
.offer code{background:var(--paper)}
.tiers{list-style:none;padding:0}
.tiers>li{padding:.9rem 0;border-top:1px solid var(--line);margin:0}
.tiers>li:first-child{border-top:0;padding-top:0}
.tiers>li:last-child{padding-bottom:0}
.tiers p:last-child{margin-bottom:0}
.operations{list-style:none;padding:0}
.operations li{margin:.6rem 0}
.operations p{margin:.1rem 0 0;font-size:.95rem}
.status{font:600 .9rem var(--sans);color:var(--soft);margin:0 0 .4rem;unicode-bidi:isolate}
form p{margin:0 0 1rem}
label,.hint,.wrong,.problem,button,.button,input,select,textarea{font-family:var(--sans)}
label{display:block;font-size:.95rem;margin:0 0 .25rem}
label+.wrong{display:block;color:var(--bad);margin:0 0 .25rem}
.hint{display:block;margin-top:.25rem;color:var(--soft);font-size:.85rem}
input:not([type=checkbox],[type=radio],[type=hidden]),select,textarea{width:100%;max-width:26rem;padding:.6rem .8rem;border:1px solid var(--soft);border-radius:8px;background:var(--paper);color:var(--ink);font-size:1rem}
[aria-invalid=true]{border-color:var(--bad)!important}
button,.button{display:inline-block;padding:.6rem 1.2rem;border:1px solid var(--accent);border-radius:8px;background:var(--accent);color:var(--paper);font-size:1rem;line-height:1.3;text-decoration:none;cursor:pointer}
button:hover,.button:hover{filter:brightness(1.1)}
button:disabled{opacity:.6;cursor:default}
.plain{background:none;color:var(--accent)}
.row{display:flex;flex-wrap:wrap;gap:.7rem;align-items:center}
.row form,.row p{margin:0}
.search{margin:0 0 1.4rem}
.search input[type=search]{flex:1 1 12rem;width:auto}
.problem,.notice{font-family:var(--sans);font-size:.95rem;border:1px solid var(--line);border-inline-start:4px solid var(--bad);border-radius:8px;padding:.8rem 1rem;margin:0 0 1.4rem}
.notice{border-inline-start-color:var(--accent)}
.problem>:last-child,.notice>:last-child{margin-bottom:0}
[hidden]{display:none!important}
footer{margin-top:4rem;padding-top:1.1rem;border-top:1px solid var(--line);color:var(--soft);font-size:.85rem}
footer a{color:inherit}
footer p{margin:0 0 .4rem}
@media(max-width:30rem){.person{align-items:flex-start;gap:1rem}.face{width:4rem;height:4rem}.facts{grid-template-columns:1fr;gap:0}.facts dd{margin-bottom:.6rem}}
@media print{:root{color-scheme:light;--paper:#fff;--ink:#000;--soft:#444;--line:#bbb;--tint:#f5f5f5;--accent:#000}.bar,.skip,.sections,footer,form,button{display:none}body{max-width:none}}
`
  .replaceAll('\n', '')
  .trim()

/** A style sheet, and the source by which a Content-Security-Policy allows it. */
export interface Appearance {
  readonly css: string
  readonly source: string
}

/** Returns the style sheet of pages with these colors instead of the default ones. */
export function createAppearance({ light, dark }: Theme = { light: {}, dark: {} }): Appearance {
  const [ofLight, ofDark] = [variables(light), variables(dark)]
  const css = [
    STYLE,
    ofLight && `@media screen{:root{${ofLight}}}`,
    ofDark && `@media screen and (prefers-color-scheme:dark){:root{${ofDark}}}`,
  ].join('')
  return { css, source: `'sha256-${createHash('sha256').update(css).digest('base64')}'` }
}

/** The look of the service. */
export const DEFAULT_APPEARANCE: Appearance = createAppearance()

export interface PolicyInput {
  readonly appearance: Appearance
  readonly remoteImages: boolean
  readonly formTargets: readonly string[]
  /** The URLs of the script of the service, when the page has it. */
  readonly scripts: readonly string[]
}

/**
 * Returns the Content-Security-Policy of a page: its own style, images of this origin or of any, and, when it needs them, the
 * script of the service and forms.
 */
export const contentSecurityPolicy = ({ appearance, remoteImages, formTargets, scripts }: PolicyInput): string =>
  [
    "default-src 'none'",
    `style-src ${appearance.source}`,
    // By its path: uploaded files have the same origin.
    ...(scripts.length > 0 ? [`script-src ${scripts.join(' ')}`, "connect-src 'self'", 'media-src blob:'] : []),
    "require-trusted-types-for 'script'",
    `img-src 'self' ${remoteImages ? 'https: ' : ''}data:${scripts.length > 0 ? ' blob:' : ''}`,
    "base-uri 'none'",
    `form-action ${formTargets.join(' ') || "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ')
