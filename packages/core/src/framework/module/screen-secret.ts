import { type Html, html } from '../../http/html/html.ts'
import { hrefOn, type Site } from '../../http/html/view.ts'
import type { ScreenResult } from './screen.ts'

/** A secret that is shown once, and the texts around it. */
export interface ShownSecret {
  readonly title: string
  readonly label: string
  readonly secret: string
  /** States that it is not shown again. */
  readonly once: string
  readonly copy: string
  readonly copied: string
  /** The link that leads back, and its path. */
  readonly back: string
  readonly backTo: string
}

/** Writes a secret, with a button that copies it where there is a script. */
const secretHtml = (site: Site, { label, secret, once, copy, copied, back, backTo }: ShownSecret): Html =>
  html`<div class="notice" role="status"><p>${once}</p></div>
<p class="field"><label for="secret">${label}</label><input id="secret" type="text" value="${secret}" readonly autocomplete="off" spellcheck="false" dir="ltr"></p>
<p class="acts"><button class="second" type="button" data-copies="secret" data-copied="${copied}" hidden>${copy}</button><a href="${hrefOn(site, backTo)}">${back}</a></p>\n`

/** Returns what an action shows that made a secret: it is shown once, and the form is refused when it is sent again. */
export const secretResult = (site: Site, shown: ShownSecret): ScreenResult => ({
  isFinal: true,
  isSecret: true,
  view: { title: shown.title, body: secretHtml(site, shown), scripts: [] },
})
