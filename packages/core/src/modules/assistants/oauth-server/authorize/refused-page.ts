import { formView, titled } from '../../../../http/html/form-view.ts'
import { html } from '../../../../http/html/html.ts'
import { type HtmlView, hrefOn, type Site } from '../../../../http/html/view.ts'
import { consentMessages } from '../messages.ts'
import type { ReadRequest } from './consent.ts'

/** The page about a request that is not reported to an app. It links to no address of the request. */
export function refusedView(
  site: Site,
  { why, error, host = '' }: Extract<ReadRequest, { kind: 'refused' }>,
): HtmlView {
  const say = consentMessages(site)
  const text = {
    malformed: () => say('malformed', { reason: error.message }),
    unknownApp: () => say('unknownApp'),
    unreadable: () => say('unreadable', { host }),
    blocked: () => say('blocked', { service: site.name }),
    wrongAddress: () => say('wrongAddress'),
  }[why]()
  return formView({ ...titled(site, say('refusedTitle')), problem: text, body: html`<p>${say('again')}</p>` })
}

/** Why a person starts again in the app. */
export type Restart = 'expired' | 'lost' | 'signedInStart'

/** The page from which a person starts again in the app, after signing in if they are not. */
export function restartView(site: Site, why: Restart, signIn: string | undefined): HtmlView {
  const say = consentMessages(site)
  return formView({
    ...titled(site, say('again')),
    lead: say(why),
    body: html`${signIn !== undefined && html`<p><a class="btn" href="${hrefOn(site, signIn)}">${say('signIn')}</a></p>`}`,
  })
}
