import { type Html, html } from './html.ts'
import { imageHref } from './image-href.ts'
import { pageMessages } from './messages.ts'
import { faceHtml } from './pieces.ts'
import { hrefOn, type Site } from './view.ts'
import type { Viewer } from './viewer.ts'

/** The pages of a signed-in person, as far as the listener has them. */
const PAGES = [
  { key: 'dashboard', path: '/dashboard' },
  { key: 'feed', path: '/feed' },
  { key: 'messages', path: '/messages' },
  { key: 'purchases', path: '/purchases' },
  { key: 'settings', path: '/account' },
] as const

/** The settings where the console is off. */
const SECURITY = { key: 'settings', path: '/account/security' } as const

const SIGN_OUT = '/logout'

/** Writes the menu of a signed-in person: it opens without a script. */
export function menuHtml(
  site: Site,
  { caller: { account }, portrait = null }: Pick<Viewer, 'caller' | 'portrait'>,
): Html {
  const say = pageMessages(site)
  const name = account.fullName ?? account.username
  const links = [
    { text: say('profile'), path: `/u/${account.username}` },
    ...[...PAGES, ...(site.has?.('/account') ? [] : [SECURITY])]
      .filter(({ path }) => site.has?.(path))
      .map(({ key, path }) => ({ text: say(key), path })),
  ]
  return html`<details class="menu"><summary>${faceHtml(name, imageHref(portrait, site), site, true)}<span class="sr-only">${say('menuOf', { name })}</span></summary><ul>${links.map(({ text, path }) => html`<li><a href="${hrefOn(site, path)}">${text}</a></li>`)}${site.has?.(SIGN_OUT) && html`<li><form method="post" action="${hrefOn(site, SIGN_OUT)}"><button type="submit">${say('signOut')}</button></form></li>`}</ul></details>`
}
