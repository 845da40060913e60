import { html } from '../../../http/html/html.ts'
import { emptyHtml, rowHtml } from '../../../http/html/pieces.ts'
import { type TextForm, textFormHtml, textFormView } from '../../../http/html/text-form.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import type { Page } from '../../../kernel/page.ts'
import { truncateLine } from '../../../kernel/truncate.ts'
import { dayText, momentText } from '../../../model/day-text.ts'
import type { ListedConversation, Message } from '../../../ports/storage/messages.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { profilePath } from '../../profiles/profiles/index.ts'
import { blockButtonHtml } from './block-button-html.ts'
import { NEW_MESSAGE } from './button-html.ts'
import { messagePageMessages } from './messages.ts'
import { MAX_MESSAGE_LENGTH } from './schemas.ts'

/** The path of the page with the conversations of a person. */
export const INBOX = '/messages'

/** The path of the page with the profiles that a person blocks. */
export const BLOCKED = '/messages/blocked'

/** The path of the page with a conversation. */
export const threadPath = (id: string): string => `${INBOX}/threads/${id}`

const NOTE_LENGTH = 160

type Entered = Pick<TextForm, 'value' | 'formId' | 'problem'>

const formOf = (site: Site, path: string, hidden: TextForm['hidden'], entered: Entered): TextForm => ({
  ...entered,
  path,
  hidden,
  label: messagePageMessages(site)('text'),
  button: messagePageMessages(site)('send'),
  maxLength: 2 * MAX_MESSAGE_LENGTH,
})

/** The page on which people write to a profile. */
export function newMessageView(
  site: Site,
  {
    to,
    recipient,
    next,
  }: { readonly to: string; readonly recipient: Pick<Profile, 'username' | 'fullName'>; readonly next: string },
  entered: Entered,
): HtmlView {
  const say = messagePageMessages(site)
  const name = recipient.fullName ?? recipient.username
  return textFormView(site, say('to', { name }), formOf(site, NEW_MESSAGE, { to, next }, entered))
}

/** The name of the other profile of a conversation. */
const nameOf = ({ correspondent }: ListedConversation, site: Site) =>
  correspondent?.withdrawnAt === null
    ? (correspondent.fullName ?? correspondent.username)
    : messagePageMessages(site)('deletedProfile')

const textOf = (message: Message | undefined, site: Site) => {
  if (message === undefined) return ''
  if (message.body !== null) return message.body
  return messagePageMessages(site)(message.kind === 'negotiation' ? 'move' : 'deleted')
}

/** The page with the conversations of a person. */
export function inboxView(site: Site, { items, nextCursor }: Page<ListedConversation>): HtmlView {
  const say = messagePageMessages(site)
  const row = (listed: ListedConversation) =>
    rowHtml({
      href: hrefOn(site, threadPath(listed.conversation.id)),
      title: nameOf(listed, site),
      note: truncateLine(textOf(listed.lastMessage, site), NOTE_LENGTH),
      marks: [
        listed.unread > 0 && html`<strong>${say('unread', { count: listed.unread })}</strong>`,
        html`<time datetime="${listed.conversation.lastAt.toISOString()}">${momentText(site, listed.conversation.lastAt)}</time>`,
      ],
    })
  return {
    title: say('title'),
    head: html`<h1>${say('title')}</h1>
${items.length > 0 ? html`<ul class="rows">${items.map(row)}</ul>` : emptyHtml(say('none'))}
${nextCursor !== undefined && html`<p><a rel="next" href="${hrefOn(site, `${INBOX}?cursor=${encodeURIComponent(nextCursor)}`)}">${say('older')}</a></p>`}
<p><a href="${hrefOn(site, BLOCKED)}">${say('blockedTitle')}</a></p>`,
  }
}

/** The page with the profiles that a person blocks. */
export function blockedView(site: Site, { items, nextCursor }: Page<ListedConversation>): HtmlView {
  const say = messagePageMessages(site)
  const row = (listed: ListedConversation) => {
    const { id, own } = listed.conversation
    const day = own.blockedAt && dayText(site, own.blockedAt)
    return html`<li><strong><a href="${hrefOn(site, threadPath(id))}"><bdi>${nameOf(listed, site)}</bdi></a></strong>${day !== null && html`<small>${say('blockedSince', { day })}</small>`}<div class="acts">${blockButtonHtml(site, listed.conversation, BLOCKED)}</div></li>\n`
  }
  return {
    title: say('blockedTitle'),
    crumbs: [{ name: say('title'), href: INBOX }],
    head: html`<h1>${say('blockedTitle')}</h1>
<p class="lead">${say('blockedLead')}</p>
${items.length > 0 ? html`<ul class="rows">${items.map(row)}</ul>` : emptyHtml(say('noneBlocked'), html`<a href="${hrefOn(site, INBOX)}">${say('title')}</a>`)}
${nextCursor !== undefined && html`<p><a rel="next" href="${hrefOn(site, `${BLOCKED}?cursor=${encodeURIComponent(nextCursor)}`)}">${say('moreBlocked')}</a></p>`}`,
  }
}

/** A conversation on its page. */
export interface Thread {
  readonly listed: ListedConversation
  /** The newest entries, the newest first. */
  readonly page: Page<Message>
}

/** The page with a conversation, and the form that replies. */
export function threadView(site: Site, { listed, page }: Thread, entered: Entered): HtmlView {
  const say = messagePageMessages(site)
  const { conversation, correspondent } = listed
  const name = nameOf(listed, site)
  const path = threadPath(conversation.id)
  const isKnown = correspondent?.withdrawnAt === null
  const item = (message: Message) => {
    const isOwn = message.senderProfileId === conversation.profileId
    const lines = textOf(message, site).split('\n')
    return html`<li><p><strong>${isOwn ? say('you') : html`<bdi>${name}</bdi>`}</strong> <small><time datetime="${message.createdAt.toISOString()}">${momentText(site, message.createdAt)}</time></small></p>
<p lang="">${lines.map((line, index) => [index > 0 && html`<br>`, line])}</p></li>\n`
  }
  const older =
    page.nextCursor !== undefined &&
    html`<p><a href="${hrefOn(site, `${path}?cursor=${encodeURIComponent(page.nextCursor)}`)}">${say('olderMessages')}</a></p>`
  const report = `/reports/new?conversation=${conversation.id}`
  const isBlocking = conversation.own.blockedAt !== null
  return {
    title: say('with', { name }),
    crumbs: [{ name: say('title'), href: INBOX }],
    head: html`<h1>${say('with', { name })}</h1>
<div class="acts">${isKnown && html`<a href="${hrefOn(site, profilePath(correspondent))}">${say('profile')}</a>`}${isKnown && site.has?.('/reports/new') && html`<a href="${hrefOn(site, report)}">${say('report')}</a>`}${(isKnown || isBlocking) && blockButtonHtml(site, conversation, path)}</div>
${older}<ul class="posts">${page.items.toReversed().map(item)}</ul>
${isBlocking ? html`<div class="notice"><p>${say('youBlock')}</p></div>` : isKnown && textFormHtml(site, formOf(site, path, {}, entered))}`,
  }
}
