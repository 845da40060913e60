import { styleSheet } from '../../../http/html/style.ts'

/** The frame of the console: the navigation beside the content, folded on phones. */
const FRAME = `
.wrap:has(>.console),.wrap.console{max-width:80rem}
body:has(.console)>:is(header,footer)>.wrap{max-width:80rem}
.console{display:grid;grid-template-columns:14rem minmax(0,1fr);gap:3rem;align-items:start}
.console main{padding-top:1.2rem}
.console .crumbs{padding:1.2rem 0 0}
.console .crumbs+main{padding-top:.3rem}
.console h1{font-size:var(--t5);margin:0}
.head{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.7rem;margin:0 0 1.2rem}
.head+*{margin-top:0}
.side{position:sticky;top:0;padding:1.2rem 0;max-height:100vh;overflow-y:auto;font-size:var(--t2)}
.side h2{font-size:var(--t1);color:var(--soft);margin:1.4rem .7rem .3rem}
.side ul{list-style:none;margin:0;padding:0}
.side li{margin:0}
.side li a{display:flex;align-items:center;min-height:2.5rem;padding:.3rem .7rem;border-radius:var(--r2);color:inherit;text-decoration:none}
.side :is(a:hover,[aria-current]){background:var(--tint)}
.side [aria-current]{font-weight:600}
.who,.switch summary{display:flex;align-items:center;gap:.7rem}
.who{margin:0 .7rem .8rem;font-weight:600}
.switch{display:none}
.switch summary{padding:.5rem .75rem;border:var(--e);border-radius:var(--r2);background:var(--card);list-style:none}
.switch summary::-webkit-details-marker{display:none}
.switch summary::after{content:"";width:.7rem;height:.35rem;margin-inline-start:auto;background:var(--soft);clip-path:polygon(0 0,100% 0,50% 100%)}
@media(max-width:56rem){.console{display:block}.side{position:static;max-height:none;padding:1rem 0 0}.switch{display:block}.switch:not([open])+.tasks,.side .who{display:none}.side li a{min-height:2.75rem}}
`

/** Forms of two columns, their buttons, and the states of inputs. */
const FORMS = `
.field{margin:0 0 1.1rem}
.console :is(input:not([type=checkbox],[type=radio],[type=hidden],[type=color]),select){max-width:none}
input.big{font:650 var(--t5)/1.3 var(--sans);letter-spacing:-.02em}
[type=color]{width:4rem!important;padding:.2rem!important}
textarea.code{font:var(--t2)/1.7 var(--mono)}
.two{display:grid;grid-template-columns:minmax(0,1fr) 19rem;gap:0 2rem;align-items:start;margin-bottom:1.3rem}
.pair{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:0 .8rem}
.two .cover{height:auto;aspect-ratio:2;margin-bottom:.5rem}
legend{font-weight:600;font-size:var(--t2);margin:0 0 .35rem;padding:0}
fieldset.card{border:var(--b);padding:1.15rem;margin:0 0 1rem}
.card>legend{float:inline-start;width:100%;margin:0 0 .7rem;font-weight:650;font-size:var(--t3)}
legend+*{clear:both}
.check{display:flex;align-items:center;gap:.7rem;min-height:2.75rem;margin:0;font-weight:400}
.bar{position:sticky;bottom:0;z-index:1;display:flex;flex-wrap:wrap;align-items:center;justify-content:flex-end;gap:.7rem;margin:0;padding:.9rem 0;border-top:var(--b);background:var(--paper)}
.bar>.state{flex:1 1 6rem;margin:0;margin-inline-end:auto;color:var(--soft);font-size:var(--t2)}
:has(.bar){scroll-padding-bottom:7rem}
button.danger{background:var(--bad);color:var(--paper)}
button.quiet{background:none;color:var(--soft);padding-inline:.6rem}
.types-of fieldset{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(15rem,100%),1fr));gap:.7rem;margin:0 0 1.3rem}
.types-of .tier{margin:0;align-content:start}
.types-of :is(legend,.wrong){grid-column:1/-1}
.two section:first-child>h2{margin-top:0}
:is(.field,.pair,fieldset)+.acts{margin-top:0}
.pair{align-items:start}
#many{margin-top:1.5rem}
details>.pair{margin-top:.5rem}
@supports selector(:has(a)){.tier:not(:has(:checked))+.opened{display:none}}
.opened{padding:.3rem 0 .2rem}
@media(max-width:56rem){.two{display:block}.two .card{margin-top:1rem}}
@media(max-width:48rem){.bar button{flex:1 0 auto;padding-inline:1rem}.bar>.state{flex:1 0 100%}}
@media(max-height:30rem){.bar{position:static}}
`

/** Tables that are cards on phones, states in words, and differences of texts. */
const TABLES = `
.num{text-align:end;white-space:nowrap;font-variant-numeric:tabular-nums}
.stack :is(th,td){text-align:left}
.stack :is(th,td).num{text-align:right}
[dir=rtl] .stack :is(th,td){text-align:right}
[dir=rtl] .stack :is(th,td).num{text-align:left}
.tag{font-size:var(--t1);font-weight:600;color:var(--soft);white-space:nowrap}
.tag.ok{color:var(--accent)}
.tag.bad{color:var(--bad)}
.stack td form{display:inline}
.stack .acts{margin:0;gap:.3rem;flex-wrap:nowrap}
.stack .acts button{min-width:2.75rem;padding:.5rem .7rem;white-space:nowrap}
.stack+.card{margin-top:1.2rem}
.stack th[scope=row]{font-weight:400}
.pick{display:inline-flex;align-items:center;min-height:1.5rem;margin:0;margin-inline-end:.7rem;vertical-align:middle}
.pick input{width:1.5rem;height:1.5rem}
.filters{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(13rem,100%),1fr));gap:0 .8rem;align-items:end}
.grip{min-width:2.75rem;padding:.5rem;margin-inline-end:.6rem;touch-action:none;cursor:grab}
.dragged{background:var(--tint)}
.tools{display:flex;flex-wrap:wrap;gap:.3rem;margin:0 0 .4rem}
.tools button{min-width:2.75rem;padding:.4rem .7rem}
.diff{padding:.7rem 0;white-space:pre-wrap}
.diff ins,.diff del,.diff span{display:block;padding:0 1rem;text-decoration:none}
.diff ins{background:color-mix(in oklab,#2f8f4e 18%,var(--card))}
.diff del{background:color-mix(in oklab,var(--bad) 16%,var(--card))}
.mine{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(20rem,100%),1fr));gap:1rem}
.mine pre{max-height:20rem;overflow:auto;white-space:pre-wrap}
@media(max-width:48rem){.stack .num{white-space:normal}.stack thead{position:absolute;clip-path:inset(50%)}.stack,.stack tbody{display:block}.stack tr{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.2rem .8rem;margin:0 0 .8rem;padding:.7rem 1rem;border:var(--b);border-radius:var(--r);background:var(--card)}.stack :is(td,th){padding:.25rem 0;border:0;min-width:0;overflow-wrap:anywhere}.stack [data-th]>*{min-width:0}.stack [data-th]{grid-column:1/3;display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;gap:.7rem}.stack [data-th]::before{content:attr(data-th);color:var(--soft)}.stack .acts{flex-wrap:wrap;justify-content:flex-end}}
@media(forced-colors:active){.side [aria-current]{outline:2px solid Highlight}}
@media print{.side,.bar,.filters{display:none!important}.console,.two{display:block}}
`

/** The rules that only screens of the console have. */
export const CONSOLE_STYLE = styleSheet([FRAME, FORMS, TABLES].join('').replaceAll('\n', ''))
