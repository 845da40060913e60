import { fieldHtml, formView, hiddenHtml, type PageState, titled } from '../../../http/html/form-view.ts'
import { html } from '../../../http/html/html.ts'
import { qrCodeHtml } from '../../../http/html/qr-code.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import type { SecondFactorState, TotpKey } from '../../people/accounts/index.ts'
import { secondFactorMessages } from './messages.ts'
import { currentPasswordHtml } from './sign-in.pages.ts'

export const SECOND_FACTOR_PATH = '/account/second-factor'

/** The input for a code. Recovery codes have letters, so it takes any text. */
const codeField = (site: Site, hint: 'codeHint' | 'digitsHint') => {
  const say = secondFactorMessages(site)
  return fieldHtml({
    name: 'code',
    label: say('code'),
    autocomplete: 'one-time-code',
    maxLength: 64,
    hint: say(hint),
    isExact: true,
  })
}

/** The page that shows whether two-factor authentication is enabled, and enables or disables it. */
export function secondFactorView(
  site: Site,
  { isEnabled, recoveryCodesLeft }: SecondFactorState,
  state: PageState,
): HtmlView {
  const say = secondFactorMessages(site)
  return formView({
    ...titled(site, say('title')),
    ...state,
    lead: say('lead'),
    body: isEnabled
      ? html`<p>${say('on', { count: recoveryCodesLeft })}</p>
<form method="post" action="${hrefOn(site, `${SECOND_FACTOR_PATH}/remove`)}">${codeField(site, 'codeHint')}<p><button type="submit">${say('remove')}</button></p></form>`
      : html`<p>${say('off')}</p>
<form method="post" action="${hrefOn(site, SECOND_FACTOR_PATH)}"><p><button type="submit">${say('setUp')}</button></p></form>`,
  })
}

export interface KeyPage extends PageState, TotpKey {
  /** Whether the account has a password, which the form then asks for. */
  readonly hasPassword: boolean
}

/** The page with the key for an app, and the form that confirms it. */
export function secondFactorKeyView(site: Site, { key, url, hasPassword, problem }: KeyPage): HtmlView {
  const say = secondFactorMessages(site)
  return formView({
    ...titled(site, say('title')),
    problem,
    lead: say('keyLead'),
    body: html`${qrCodeHtml(url, say('qrCode'))}
<p><code>${(key.match(/.{4}/g) ?? []).join(' ')}</code></p>
<p><a href="${url}">${say('openApp')}</a></p>
<form method="post" action="${hrefOn(site, `${SECOND_FACTOR_PATH}/confirm`)}">${codeField(site, 'digitsHint')}${hasPassword && currentPasswordHtml(site)}<p><button type="submit">${say('enable')}</button></p></form>`,
  })
}

/** The page that shows the recovery codes, once. */
export function recoveryCodesView(site: Site, codes: readonly string[]): HtmlView {
  const say = secondFactorMessages(site)
  return formView({
    ...titled(site, say('recoveryTitle')),
    notice: say('enabled'),
    lead: say('recoveryLead'),
    body: html`<ul>${codes.map((code) => html`<li><code>${code}</code></li>\n`)}</ul>
<p><a class="btn" href="${hrefOn(site, '/dashboard')}">${say('done')}</a></p>`,
  })
}

export interface CodePage extends PageState {
  readonly token: string
  readonly next: string | undefined
}

/** The page that asks for a code after the password. */
export function codeView(site: Site, { token, next, problem }: CodePage): HtmlView {
  const say = secondFactorMessages(site)
  return formView({
    ...titled(site, say('title')),
    problem,
    lead: say('signInLead'),
    body: html`<form method="post" action="${hrefOn(site, '/login/code')}">${codeField(site, 'codeHint')}${hiddenHtml('token', token)}${hiddenHtml('next', next)}<p><button type="submit">${say('signIn')}</button></p></form>`,
  })
}
