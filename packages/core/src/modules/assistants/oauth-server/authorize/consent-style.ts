import { styleSheet } from '../../../../http/html/style.ts'

/** The rules of forms that other pages than the console do not have. */
export const CONSENT_STYLE = styleSheet(`
.field{margin:0 0 1.1rem}
legend{font-weight:600;font-size:var(--t2);margin:0 0 .35rem;padding:0}
fieldset.card{border:var(--b);padding:1.15rem;margin:0 0 1rem}
.card>legend{float:inline-start;width:100%;margin:0 0 .7rem;font-weight:650;font-size:var(--t3)}
legend+*{clear:both}
.check{display:flex;align-items:center;gap:.7rem;min-height:2.75rem;margin:0;font-weight:400}
.thirds{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(9rem,100%),1fr));gap:0 .8rem;align-items:start}
.who h2{display:flex;flex-wrap:wrap;gap:.2rem .6rem;align-items:baseline;overflow-wrap:anywhere}
.tag{font-size:var(--t1);font-weight:600;color:var(--bad)}
.tag.ok{color:var(--accent)}
[role=group]>.soft{margin:.4rem 0 0}
`)
