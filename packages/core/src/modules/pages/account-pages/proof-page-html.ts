import { type Html, html } from '../../../http/html/html.ts'
import { withNext } from '../../../http/html/sign-in-path.ts'
import { hrefOn, type Site } from '../../../http/html/view.ts'
import { providerLabel } from '../../people/oauth/index.ts'
import { askAgainMessages, signInMessages } from './messages.ts'
import { passkeyStatusHtml } from './passkey-html.ts'

/** The button that proves the person with a passkey, and then opens `next`. The script shows it where the browser has passkeys. */
export const passkeyProofHtml = (site: Site, next: string): Html =>
  html`<form data-passkey="prove" data-done="${hrefOn(site, next)}" hidden><p><button class="second" type="submit">${askAgainMessages(site)('byPasskey')}</button></p></form>
${passkeyStatusHtml(site)}`

/** What people without a password, a code and a passkey do: they sign in again with a provider, which leads to `next`. */
export const providerProofHtml = (site: Site, providers: readonly string[], next: string): Html =>
  html`<p>${askAgainMessages(site)('signInLead')}</p>
<p class="acts">${providers.map((name) => html`<a class="btn second" href="${hrefOn(site, withNext(`/auth/oauth/${name}`, next))}">${signInMessages(site)('signInWith', { provider: providerLabel(name) })}</a>\n`)}</p>`
