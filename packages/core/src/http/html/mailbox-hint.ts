import { type Html, html } from './html.ts'
import { pageMessages } from './messages.ts'
import { hrefOn, type Site } from './view.ts'

/** The mailbox of a sandbox, in which its emails are. */
export const MAILBOX = '/sandbox/mail'

/** Names the place of the emails of a sandbox are, below a text about an email that was sent. False for services that send email. */
export function mailboxHint(site: Site): Html | false {
  const say = pageMessages(site)
  return (
    site.isSandbox === true &&
    site.has?.(MAILBOX) === true &&
    html`<p><a href="${hrefOn(site, MAILBOX)}">${say('mailbox')}</a> ${say('mailboxKey')}</p>`
  )
}
