import { dataScript, type Html, html } from '../../../http/html/html.ts'
import { hrefOn, type Site } from '../../../http/html/view.ts'
import { passkeyMessages } from './messages.ts'
import { passkeyTexts } from './passkey-texts.ts'

/** What the script needs to use passkeys, and where it shows the status. */
export const passkeyStatusHtml = (site: Site): Html =>
  html`<p class="notice" role="status" data-passkey-status hidden></p>
${dataScript('passkeys', { texts: passkeyTexts(site), url: hrefOn(site, '/auth/passkeys') })}`

/** The button to sign in with a passkey, which leads to `next`. The script shows it where the browser has passkeys. */
export const passkeySignInHtml = (site: Site, next: string): Html =>
  html`<form data-passkey="login" data-done="${hrefOn(site, next)}" hidden><p><button class="second" type="submit">${passkeyMessages(site)('signIn')}</button></p></form>
${passkeyStatusHtml(site)}`
