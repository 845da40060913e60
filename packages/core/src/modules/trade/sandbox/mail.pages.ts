import { html } from '../../../http/html/html.ts'
import { MAILBOX } from '../../../http/html/mailbox-hint.ts'
import { emptyHtml } from '../../../http/html/pieces.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { momentText } from '../../../model/day-text.ts'
import type { SandboxMail } from '../../../ports/storage/sandbox.ts'
import { mailboxMessages } from './messages.ts'

/** The path of one email, and that of its content. */
const mailPath = ({ id }: Pick<SandboxMail, 'id'>): string => `${MAILBOX}/${id}`
const mailBodyPath = (mail: Pick<SandboxMail, 'id'>): string => `${mailPath(mail)}/body`

const momentHtml = (site: Site, at: Date) => html`<time datetime="${at.toISOString()}">${momentText(site, at)}</time>`

/** The mailbox: the latest emails of the service, to everybody. */
export function mailboxView(site: Site, mails: readonly SandboxMail[]): HtmlView {
  const say = mailboxMessages(site)
  const rows = mails.map(
    (mail) =>
      html`<li><strong><a href="${hrefOn(site, mailPath(mail))}"><bdi>${mail.subject}</bdi></a></strong><p>${say('to')} <bdi dir="ltr">${mail.to}</bdi></p><small>${momentHtml(site, mail.sentAt)}</small></li>\n`,
  )
  return {
    title: say('title'),
    crumbs: [{ name: say('sandbox'), href: '/sandbox' }],
    head: html`<h1>${say('title')}</h1>
<p class="lead">${say('lead')}</p>
${mails.length === 0 ? emptyHtml(say('empty')) : html`<ul class="rows">${rows}</ul>`}`,
  }
}

/** One email: as its reader sees it, in a frame without scripts and without the origin of the service, and as plain text. */
export function mailView(site: Site, mail: SandboxMail): HtmlView {
  const say = mailboxMessages(site)
  return {
    title: mail.subject,
    hasFrame: true,
    crumbs: [
      { name: say('sandbox'), href: '/sandbox' },
      { name: say('title'), href: MAILBOX },
    ],
    head: html`<h1><bdi>${mail.subject}</bdi></h1>
<dl class="facts"><dt>${say('to')}</dt><dd><bdi dir="ltr">${mail.to}</bdi></dd><dt>${say('sent')}</dt><dd>${momentHtml(site, mail.sentAt)}</dd></dl>
<iframe class="email" title="${say('frame')}" sandbox="allow-popups allow-popups-to-escape-sandbox" src="${hrefOn(site, mailBodyPath(mail))}"></iframe>
<details><summary>${say('plain')}</summary><pre class="written" dir="auto">${mail.text}</pre></details>`,
  }
}

/** The markup of an email, whose links open in a new tab: the frame has no pages. */
export const mailBody = ({ html: markup }: Pick<SandboxMail, 'html'>): string =>
  // Of an attribute that is there twice, the first one counts.
  markup.replaceAll(/<(a|area|form)(?=[\s/>])/gi, '<$1 target="_blank" rel="noopener"')
