/** An icon of lines as the value of a CSS mask. Its colour is that of the text around it. */
const mask = (lines: string) =>
  `url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%23000' stroke-width='1.8' stroke-linecap='round' stroke-linejoin='round'%3E${lines.replaceAll('<', '%3C').replaceAll('>', '%3E')}%3C/svg%3E") center/contain no-repeat`

const LOCK = mask(`<rect x='5' y='11' width='14' height='9' rx='2'/><path d='M8 11V8a4 4 0 0 1 8 0v3'/>`)
const PIN = mask(`<path d='M12 21s7-6.2 7-11a7 7 0 0 0-14 0c0 4.8 7 11 7 11z'/><circle cx='12' cy='10' r='2.5'/>`)
const LANGUAGE = mask(
  `<path d='M4 6h9M8.5 4v2M6 6c.5 4 3 7 6 8.5M11.5 6c-.5 4-3 7.5-7 9M13 20l4-10 4 10M14.5 16.5h5'/>`,
)
const INFO = mask(`<circle cx='12' cy='12' r='9'/><path d='M12 11v5M12 8v.01'/>`)
const ALERT = mask(`<path d='M12 4 2.5 20h19zM12 10v4M12 17v.01'/>`)

/** Sizes, fonts and measures, which no host changes. */
const MEASURES = `--t1:.8125rem;--t2:.9375rem;--t3:1rem;--t4:1.125rem;--t5:1.5rem;--t6:2.375rem;--r:14px;--r2:9px;--b:1px solid var(--line);--e:1px solid var(--edge);
--serif:Charter,"Sitka Text",Cambria,P052,Georgia,serif;--sans:system-ui,"Segoe UI",Roboto,Arial,sans-serif;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;`

/** Text, headings and links. */
const GROUND = `
*,::before{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--paper);color:var(--ink);font:var(--t3)/1.55 var(--sans);overflow-wrap:anywhere;text-wrap:pretty}
h1,h2,h3,h4,h5,h6{font:650 var(--t4)/1.3 var(--sans);letter-spacing:-.01em;margin:2.2rem 0 .7rem;text-wrap:balance;scroll-margin-top:1rem}
h1{font-size:var(--t6);line-height:1.15;letter-spacing:-.02em;margin:0 0 .9rem;hyphens:auto;word-break:auto-phrase}
h3,h4,h5,h6{font-size:var(--t3)}
a{color:var(--accent);text-underline-offset:.2em;text-decoration-thickness:1px}
a:hover{text-decoration-thickness:2px}
:focus-visible,.search:focus-within{outline:2px solid var(--accent);outline-offset:3px}
.search input:focus-visible,main:focus{outline:0}
p,ul,ol,dl,pre,blockquote,.wide,figure,address{margin:0 0 1rem}
ul,ol{padding-inline-start:1.4rem}
li{margin:.2rem 0}
li>p{margin:0 0 .5rem}
li::marker{color:var(--soft)}
address{font-style:normal}
.meta address{display:inline}
img,.qr{max-width:100%;height:auto;border-radius:var(--r2)}
.qr{display:block;margin:0 0 1rem}
main :is(p,li,dt,dd,th,td,h1,h2,h3,h4,h5,h6,summary,blockquote){unicode-bidi:plaintext;text-align:start}
main p:has(>:is(button,.btn):first-child){unicode-bidi:normal}
main h1[dir]{unicode-bidi:isolate}
code,pre,kbd{font:var(--t2)/1.6 var(--mono);direction:ltr;unicode-bidi:isolate}
code{background:var(--tint);padding:.1em .35em;border-radius:4px}
pre{background:var(--tint);border:var(--b);border-radius:var(--r2);padding:1rem 1.15rem;overflow-x:auto}
pre code{background:none;padding:0}
pre.written,pre.said{white-space:pre-wrap}
hr{border:0;border-top:var(--b);margin:2.5rem 0}
table{width:100%;overflow-wrap:break-word;border-collapse:collapse;font:var(--t2)/1.45 var(--sans)}
.wide{overflow-x:auto}
th,td{padding-block:.6rem;padding-inline:0 1.2rem;border-bottom:var(--b);text-align:start;vertical-align:top}
th,b,strong{font-weight:600}
[align=right]{text-align:end}[align=center]{text-align:center}
div[lang=en] td:last-child{min-width:14rem}
mark{background:#ffe58a;color:#1c1b19;border-radius:2px}
time{unicode-bidi:plaintext}
summary{cursor:pointer;font:600 var(--t2)/1.5 var(--sans);padding:.5rem 0}
details>:not(summary){margin-top:.5rem}
[hidden]{display:none!important}
.sr-only{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.soft,.lead,.label,.meta,.crumbs,.hint,.status,small,footer,.facts dt{color:var(--soft)}
.soft,.label,.meta,.crumbs,.hint,.status,.facts,.notice,.problem,.nav{font-size:var(--t2)}
small,footer,.fine{font-size:var(--t1)}
.lead{font:var(--t4)/1.5 var(--sans);margin:0 0 1.2rem}
.label{margin:0 0 .4rem}
.status{font-weight:600;margin:0 0 .4rem;unicode-bidi:isolate}
`

/** The frame of every page. */
const FRAME = `
.skip{position:absolute;inset-inline-start:-99rem;top:.5rem;padding:.6rem 1rem;background:var(--ink);color:var(--paper);z-index:1}
.skip:focus{inset-inline-start:1rem}
.wrap{max-width:68rem;margin:auto;padding-inline:1.25rem}
.column{max-width:44.5rem}
main{padding-bottom:3.5rem}
.top{border-bottom:var(--b)}
.top .wrap,.top nav,.brand{display:flex;align-items:center;gap:.7rem}
.top .wrap{min-height:4rem}
.top nav{gap:.25rem;margin-inline-start:auto;font-size:var(--t2)}
.top a{text-decoration:none;color:inherit}
.top nav>a:not(.btn){padding:.6rem;color:var(--soft)}
.top a:hover:not(.btn){text-decoration:underline}
.top nav{white-space:nowrap}
button.second[aria-pressed=true]{color:var(--accent);border-color:currentColor}
[aria-pressed=true]::before{content:"✓";margin-inline-end:.4em}
.menu{position:relative}
.menu summary{display:flex;padding:0;border-radius:50%;list-style:none}
.menu summary::-webkit-details-marker{display:none}
.menu ul{position:absolute;inset-inline-end:0;z-index:2;width:13rem;margin:.4rem 0;padding:.4rem;list-style:none;background:var(--card);border:var(--b);border-radius:var(--r);box-shadow:var(--shadow)}
.menu li{margin:0}
.menu :is(a,button){display:block;width:100%;min-height:0;padding:.65rem .7rem;border:0;border-radius:var(--r2);background:none;color:var(--ink);font:inherit;text-align:start}
.menu :is(a,button):hover{background:var(--tint);text-decoration:none;filter:none}
.brand{min-width:0;min-height:2.75rem;font-weight:650}
.brand span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.brand::before,.brand img{flex:none}
.brand::before{content:"";border:.55rem solid var(--accent);border-radius:50%}
.brand:has(img)::before{display:none}
.brand img{height:1.75rem;border-radius:0}
.crumbs{padding:.7rem 0}
.crumbs ol{display:flex;flex-wrap:wrap;gap:0 .5rem;list-style:none;margin:0;padding:0}
.crumbs li{margin:0}
.crumbs a{display:inline-block;padding:.2rem 0;color:inherit;text-decoration:none}
.crumbs a:hover{text-decoration:underline}
.crumbs li+li::before{content:"›";margin-inline-end:.5rem}
[dir=rtl] .crumbs li+li::before{content:"‹"}
.crumbs+main{padding-top:.3rem}
main{padding-top:2rem}
body>footer{border-top:var(--b)}
footer .wrap,footer ul{display:flex;flex-wrap:wrap;align-items:center}
footer .wrap{justify-content:space-between;gap:.3rem 2rem;padding-block:1.2rem 2.2rem}
footer ul{gap:.3rem 1.1rem;list-style:none;margin:0;padding:0}
footer li{margin:0}
footer a{display:inline-block;padding:.25rem 0;color:inherit;text-decoration:none}
footer a:hover{text-decoration:underline}
footer [aria-current]{font-weight:600}
@media(max-width:26rem){.top .wrap{gap:.3rem}.brand{gap:.4rem}.top nav>a:not(.btn){padding-inline:.35rem}.top .btn{padding-inline:.8rem}}
@media(max-width:24rem){.brand span{position:absolute;width:1px;height:1px;clip-path:inset(50%)}}
`

/** The text of authors. */
const PROSE = `
.prose{font:var(--t4)/1.65 var(--serif)}
.prose h2{font-size:var(--t5);margin:2.4rem 0 .8rem}
.prose h3{font-size:var(--t4);margin:2rem 0 .6rem}
.prose blockquote{margin-inline:0;padding-inline-start:1.25rem;border-inline-start:3px solid var(--accent);font-style:italic}
blockquote>:last-child{margin-bottom:0}
.anchor{margin-inline-start:.4em;color:var(--soft);text-decoration:none;font-weight:400}
:is(h2,h3,h4,h5,h6):not(:hover)>.anchor{visibility:hidden}
.contains-task-list{list-style:none;padding-inline-start:.2rem}
.contains-task-list input{margin:0;margin-inline-end:.5em;vertical-align:-.2em}
.footnotes{margin-top:2.5rem;padding-top:1rem;border-top:var(--b);font:var(--t2)/1.6 var(--sans);color:var(--soft)}
sup{font:var(--t1)/1 var(--sans)}
sup a{padding:.35rem .4rem}
.sections{border-block:var(--b);padding:.3rem 0;margin:0 0 1.8rem}
.sections ul{list-style:none;padding:0}
.sections .d3{padding-inline-start:1.2rem}
`

/** Cards, rows, facts and faces. */
const PIECES = `
.card,.offer{background:var(--card);border:var(--b);border-radius:var(--r);box-shadow:var(--shadow);padding:1.15rem;margin:0 0 1rem}
:is(.card,.offer)>h2{font-size:var(--t3);margin:0 0 .7rem}
:is(.card,.offer)>:last-child:not(details){margin-bottom:0}
.rows,.tree,.tree ul,.tiers,.operations{list-style:none;padding:0}
:is(.rows,.tiers)>li{position:relative;display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.2rem 1.25rem;padding:1.1rem 0;margin:0;border-top:var(--b)}
.tiers>li{display:block}
.tiers>li:last-child{padding-bottom:0}
.tiers>li>*+*{margin-top:.3rem}
.tiers>li>.price{display:block}
.tiers>li>.acts{margin-top:.7rem}
:is(.rows,.tiers)>li:first-child{border:0;padding-top:.4rem}
:is(.rows,.tiers)>li>*{grid-column:1;margin:0}
:is(.rows,.tiers)>li>:is(.aside,.thumb){grid-area:1/2/4}
.rows p{color:var(--soft);font-size:var(--t2)}
.rows p:not(.acts){display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden}
.rows :is(h3,strong) a,.pc h3 a{color:inherit;text-decoration:none}
.rows :is(h3,strong) a:hover,.pc h3 a:hover{text-decoration:underline}
:is(.rows :is(h3,strong),.pc) a::after{content:"";position:absolute;inset:0}
.rows>.of-face{grid-template-columns:auto minmax(0,1fr)}
.rows>.of-face>.face{grid-area:1/1/3}
.rows>.of-face>:not(.face){grid-column:2}
.rows small a{position:relative;z-index:1}
.thumb{width:7rem;height:4.7rem;object-fit:cover}
.price{font-weight:600;color:var(--accent)}
.lock{font-weight:600;color:var(--accent)}
.lock::before,.meta li::before,.notice::before,.problem::before{content:"";display:inline-block;width:1.1em;height:1.1em;flex:none;background:currentColor;mask:${LOCK}}
:is(.lock,.meta li)::before{margin-inline-end:.3em;vertical-align:-.15em}
.meta .pin::before{mask:${PIN}}
.meta .spoken::before{mask:${LANGUAGE}}
.facts{display:grid;grid-template-columns:minmax(0,max-content) minmax(0,1fr);gap:.5rem 1.1rem}
@media(min-width:30.01rem){.card .facts{grid-template-columns:minmax(5.5rem,max-content) minmax(0,1fr)}}
.facts:has(+.facts){margin-bottom:.5rem}
.facts dt{max-width:11rem}
.facts dd{margin:0;min-width:0}
:is(.facts,.rows,.tree,.tiers,.offer,.pc) :is(li,p,dt,dd,h2,h3){text-align:left}
[dir=rtl] :is(.facts,.rows,.tree,.tiers,.offer,.pc) :is(li,p,dt,dd,h2,h3){text-align:right}
.chips{display:flex;flex-wrap:wrap;gap:.4rem;padding:0;list-style:none;font-size:var(--t1)}
.chips li{max-width:100%;margin:0;padding:.3rem .75rem;border-radius:999px;background:var(--tint)}
.meta{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;list-style:none;padding:0;margin:.6rem 0 1rem}
.meta li{margin:0;padding-block:.15rem}
.face{--s:2.75rem;width:var(--s);height:var(--s);border-radius:50%;object-fit:cover;flex:none;background:var(--tint)}
span.face{display:grid;place-items:center;font-weight:600;font-size:var(--t4);color:var(--accent);background:color-mix(in oklab,var(--accent) 14%,var(--paper))}
.byline{display:flex;flex-wrap:wrap;align-items:center;gap:.7rem;margin:1rem 0 1.5rem;color:var(--soft);font-size:var(--t2)}
.byline a{color:var(--ink);font-weight:600;text-decoration:none}
.byline a:hover{text-decoration:underline}
.byline>div{flex:1 1 10rem}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(15rem,100%),1fr));gap:1rem}
.grid .card{margin:0}
.grid,.posts{list-style:none;padding:0}
.pc{position:relative;display:grid;grid-template-columns:auto minmax(0,1fr);gap:0 .9rem;align-content:start}
.pc .face{--s:3.25rem;grid-row:1/3}
.pc h3{margin:0;hyphens:auto}
.pc p{grid-column:1/3;margin:.7rem 0 0;font-size:var(--t2);color:var(--soft)}
.pc :is(h3,p){display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden}
.posts>li{margin:0;padding:1rem 0;border-top:var(--b)}
.posts>li:first-child{border:0;padding-top:.4rem}
.posts p{margin:0 0 .3rem}
.card .byline{margin:0 0 .8rem}
.byline small a{font-weight:400;color:inherit}
.empty{padding:3rem 1.25rem;border:1px dashed var(--edge);border-radius:var(--r);margin:1rem 0}
.empty p{text-align:center;max-width:44ch;margin:0 auto}
.empty p+p{margin-top:1.2rem}
.tree ul{padding-inline-start:1.1rem;border-inline-start:var(--b);margin:.5rem 0 1rem}
.tree>ul{border:0;padding:0;margin:0}
.tree .category{font-weight:600;font-size:var(--t4)}
.operations li{margin:.8rem 0}
.operations p{margin:.1rem 0 0;font-size:var(--t2)}
@media(max-width:30rem){.facts{grid-template-columns:minmax(0,1fr);gap:0}.facts dd{margin-bottom:.6rem}}
`

/** The heads of profiles and of the start page, and columns beside a text. */
const PLACES = `
.cover{display:block;width:100%;object-fit:cover;height:clamp(7rem,16vw,13rem);border-radius:var(--r);background:linear-gradient(120deg,color-mix(in oklab,var(--accent) 30%,var(--paper)),color-mix(in oklab,#f6b26b 45%,var(--paper)))}
.hero{margin-top:-3.5rem}
.hero>.face{--s:7rem;position:relative;border:5px solid var(--paper);margin-inline-start:-5px;margin-bottom:.6rem;font-size:var(--t6)}
.hero h1{margin-bottom:.4rem}
.hero .lead{max-width:60ch;margin-bottom:.6rem}
.hero .chips{margin:.8rem 0 0}
.when{display:flex;gap:1rem;align-items:center;margin-top:1rem}
.when p{margin:0}
.date{display:grid;justify-items:center;flex:none;width:4.5rem;border:var(--b);border-radius:var(--r2);overflow:hidden;background:var(--card);line-height:1.35}
.date b{font-size:var(--t5)}
.date i{width:100%;text-align:center;background:var(--accent);color:var(--on);font:600 var(--t1)/1.7 var(--sans)}
.big{font:650 var(--t5)/1.3 var(--sans);font-variant-numeric:tabular-nums;margin:.4rem 0 0}
.split{display:grid;grid-template:"intro aside" "rest aside" "rest more" 1fr/minmax(0,1fr) 20rem;column-gap:3.5rem;align-items:start}
.hero+div{margin-top:2rem}
.intro{grid-area:intro}
.aside{grid-area:aside}
.rest{grid-area:rest}
.beside{grid-area:more}
.split:not(:has(>.aside))>.beside{grid-row:1/4}
.rest>section:first-child>h2{margin-top:0}
.intro+.rest,.intro+.aside+.rest{margin-top:1.2rem}
.agents{border-top:var(--b);margin-top:2.5rem;padding-top:.6rem}
.agents h3{margin-top:1.2rem}
.start{padding:clamp(1rem,5vw,3.5rem) 0 2.5rem}
.start :is(h1,p){text-align:center;margin-inline:auto}
.start h1{max-width:24ch}
.start .lead{max-width:46ch;margin-bottom:1.8rem}
.start .search{margin-inline:auto}
.start .acts{justify-content:center}
.start .search button{background:var(--card);color:var(--ink);border-color:var(--edge)}
@media(max-width:56rem){.split{display:block}.beside{margin-top:2.4rem}}
`

/** Buttons, fields and notices. */
const FORMS = `
button,.btn{display:inline-block;min-height:2.75rem;max-width:100%;padding:.7rem 1.15rem;border:1px solid transparent;border-radius:999px;background:var(--accent);color:var(--on);font:600 var(--t2)/1.25 var(--sans);text-decoration:none;text-align:center;cursor:pointer}
:is(button,.btn):hover{filter:brightness(1.08)}
button:disabled{opacity:.6;cursor:default}
.second{background:var(--card);color:var(--ink);border-color:var(--edge)}
.acts{display:flex;flex-wrap:wrap;gap:.6rem;align-items:center;margin:1.2rem 0 0}
.acts>a:not(.btn){padding-block:.3rem}
.acts :is(form,p){margin:0}
:is(p,div).acts{margin-bottom:1rem}
.hero>.acts{display:inline-flex;margin-inline-end:.6rem;vertical-align:top}
form+p{margin-top:1rem}
.acts>.write{flex:1 1 100%;order:1;margin-top:.4rem}
.acts>.write p+p{margin-top:.6rem}
form p{margin:0 0 1.1rem}
label{display:block;font-weight:600;font-size:var(--t2);margin:0 0 .35rem}
label+.wrong,.wrong{display:block;color:var(--bad);font-size:var(--t2);margin:0 0 .35rem}
.hint{display:block;margin-top:.35rem;font-size:var(--t1)}
input:not([type=checkbox],[type=radio],[type=hidden]),select,textarea{width:100%;max-width:26rem;min-height:2.75rem;padding:.5rem .75rem;border:var(--e);border-radius:var(--r2);background:var(--card);color:var(--ink);font:inherit}
textarea{display:block;max-width:none;resize:vertical}
::placeholder{color:var(--soft);opacity:1}
[type=radio],[type=checkbox]{width:1.25rem;height:1.25rem;margin:0;flex:none;accent-color:var(--accent)}
[aria-invalid=true]{border-color:var(--bad)!important;box-shadow:inset 0 0 0 1px var(--bad)}
.search{display:flex;gap:.5rem;max-width:34rem;margin:0 0 1.6rem;border:var(--e);border-radius:999px;padding:.3rem;background:var(--card)}
.search input[type=search]{flex:1 1 8rem;min-width:0;border:0;border-radius:999px;padding-inline-start:1.1rem;background:none}
.notice,.problem{--c:var(--accent);display:grid;grid-template-columns:auto minmax(0,1fr);gap:.2rem .6rem;margin:0 0 1.2rem;padding:.75rem .95rem;border:1px solid color-mix(in oklab,var(--c) 30%,var(--card));border-radius:var(--r2);background:color-mix(in oklab,var(--c) 10%,var(--card))}
.problem{--c:var(--bad)}
:is(.notice,.problem)::before{margin-top:.2em;color:var(--c);mask:${INFO}}
.problem::before{mask:${ALERT}}
:is(.notice,.problem)>*{grid-column:2;margin:0}
:is(.notice,.problem) a{color:inherit}
dialog{width:calc(100% - 2rem);max-width:26rem;padding:1.15rem;border:var(--b);border-radius:var(--r);background:var(--card);color:var(--ink);box-shadow:var(--shadow)}
dialog::backdrop{background:#0008}
dialog h2{margin-top:0}
:is(dialog,form)>.acts:last-child{margin-bottom:0}
`

/** How many prices of one form the style sheet has rules for. */
export const MAX_CHOICES = 6

/** A button with a text for each choice shows that of the chosen one, and is hidden when it has none. */
const chosen = Array.from({ length: MAX_CHOICES }, (_, index) => {
  const checked = `.choice:has(.tier:nth-of-type(${index + 1}) :checked)`
  return `${checked} .say>.t${index + 1}{display:inline}${checked} .say:not(:has(.t${index + 1})){display:none}`
}).join('')

/** Prices of a gated page, as cards of which one is chosen, and the buttons that name what was chosen. */
const OFFER = `
fieldset{border:0;margin:0 0 .8rem;padding:0;min-width:0}
.tier{display:grid;grid-template-columns:auto minmax(0,1fr) auto;gap:.1rem .75rem;align-items:center;padding:.75rem .85rem;border:var(--b);border-radius:var(--r2);margin:0 0 .5rem;font-weight:400;cursor:pointer}
.tier>small{grid-column:2/4}
.tier .amount{text-align:end}
@media(max-width:30rem){.tier{grid-template-columns:auto minmax(0,1fr)}.tier>:is(.amount,small){grid-column:2;text-align:start}}
.tier:has(:checked){border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent);background:color-mix(in oklab,var(--accent) 6%,var(--card))}
.tier:has(:focus-visible){outline:2px solid var(--accent);outline-offset:2px}
.tier :focus-visible{outline:0}
.choice .amount bdi{font-size:var(--t3)}
.choice button{width:100%;margin-bottom:.6rem}
.say>span~span{display:none}
@supports selector(:has(a)){.choice .say>span{display:none}${chosen}}
main .fine{text-align:center;color:var(--soft);margin:.4rem 0 0}
.tiers .fine{text-align:start}
.byline>.lock{flex:none}
.byline>div:has(+.lock){flex-basis:14rem}
.keep{max-width:34rem;margin-inline:auto}
.fade{max-height:9rem;overflow:hidden;mask-image:linear-gradient(#000 5.5rem,#0000 9rem)}
.keep .tiers{margin-bottom:0}
.keep .tiers .acts{margin:.8rem 0 0}
.amount{font-weight:650;font-variant-numeric:tabular-nums}
.amount bdi{font-size:var(--t5)}
.amount small{font-weight:400;white-space:nowrap}
`

/** What the system of the reader or the printer asks for. */
const MEDIA = `
@media(forced-colors:active){.tier:has(:checked),[aria-pressed=true]{outline:2px solid Highlight}:is(.lock,.meta li,.notice,.problem)::before{forced-color-adjust:none;background:CanvasText}.brand::before{border-color:CanvasText}}
@media(prefers-reduced-motion:reduce){*{transition:none!important;animation:none!important}}
@media print{.fade{max-height:none;mask:none}.top,.skip,.crumbs,.sections,body>footer,form,button,.btn,dialog{display:none!important}.card,.offer,figure,tr{break-inside:avoid;box-shadow:none}pre{white-space:pre-wrap}:is(h1,h2,h3){break-after:avoid}.prose a[href^=http]::after{content:" (" attr(href) ")"}}
`

/** The rules of every page, without the colors. */
export const RULES: string = [GROUND, FRAME, PROSE, PIECES, PLACES, FORMS, OFFER, MEDIA]
  .join('')
  .replaceAll('\n', '')
  .trim()

/** The custom properties that all pages share: six sizes of type, fonts, measures. */
export const PROPERTIES: string = MEASURES.replaceAll('\n', '')

/** The strip of test mode above every page of a sandbox, also on paper, and the frame of its emails. */
export const SANDBOX_RULES: string = [
  '.strip{background:#ffd54a;color:#1c1b19;border-bottom:1px solid #1c1b19}',
  '.strip p{margin:0;padding:.45rem 1.25rem;font:600 var(--t2)/1.4 var(--sans);text-align:center}',
  '.email{display:block;width:100%;height:38rem;border:var(--b);border-radius:var(--r2);background:#fff;margin:0 0 1rem}',
].join('')
