import { formView, titled } from '../../../http/html/form-view.ts'
import { html } from '../../../http/html/html.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { purchaseMessages } from './messages.ts'

/** The page of a link. It changes nothing until its button is pressed, so programs that open links do not use them up. */
export function linkView(site: Site): HtmlView {
  const say = purchaseMessages(site)
  return formView({
    ...titled(site, say('linkTitle')),
    lead: say('linkLead'),
    body: html`<form method="post"><button type="submit">${say('linkButton')}</button></form>`,
  })
}

/** The page of a link that opened nothing. */
export const nothingView = (site: Site): HtmlView => {
  const say = purchaseMessages(site)
  return endView(site, say('title'), say('nothing'))
}

/** The page of a link that does not work. */
export const refusedView = (site: Site): HtmlView => {
  const say = purchaseMessages(site)
  return endView(site, say('refusedTitle'), say('refused'))
}

const endView = (site: Site, title: string, lead: string): HtmlView =>
  formView({
    ...titled(site, title),
    lead,
    body: html`<p><a class="btn" href="${hrefOn(site, '/purchases')}">${purchaseMessages(site)('toPurchases')}</a></p>`,
  })
