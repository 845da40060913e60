import type { Outbox } from '../../email/outbox.ts'
import type { Clock } from '../../kernel/clock.ts'
import { createTaskLoop, type TaskLoop } from '../../kernel/task-loop.ts'
import type { Mail } from '../../ports/mailer.ts'
import type { Notification, NotificationDigest, NotificationEmail } from '../../ports/storage/notifications.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import { composeEmail, type MailContext } from '../accounts/index.ts'
import { nextDigestAt } from './digest-time.ts'
import type { NotificationTexts } from './texts.ts'
import type { UnsubscribeTokens } from './unsubscribe-token.ts'

export interface NotificationEmailDeps extends GuardedStorage<'notifications'> {
  readonly clock: Clock
  readonly outbox: Pick<Outbox, 'send'>
  readonly texts: NotificationTexts
  readonly tokens: UnsubscribeTokens
  readonly publicUrl: string
  /** The name of the service in emails. */
  readonly service: string
  /** The hour (UTC) of daily emails. */
  readonly digestHour: number
  readonly onError: (error: unknown) => void
}

const POLL_MS = 60_000
/** When an email is sent again that failed, or whose process died: longer than the mailer may take. */
const RETRY_MS = 15 * 60_000
const MAX_IN_DIGEST = 50

/**
 * Sends the emails of notifications, and daily digests. They are claimed in the storage before they are sent, so one instance
 * sends each; a process that dies before an email was accepted leaves it to another.
 */
export function createNotificationEmails(deps: NotificationEmailDeps): TaskLoop {
  const { read, write, clock, outbox, texts, tokens, publicUrl, service, digestHour, onError } = deps

  /** The recipient, and the kinds that it wants by email in a way. Only proven addresses get emails. */
  async function recipientOf(accountId: string, way: NotificationEmail) {
    const account = await read.accounts.get(accountId)
    if (!account?.emailVerified || account.deletionScheduledAt || account.bannedAt) return undefined
    const chosen = await read.notifications.listPreferences([accountId])
    const wants = (kind: string) =>
      texts.get(kind)?.email != null &&
      (chosen.find((each) => each.kind === kind)?.email ?? texts.get(kind)?.email) === way
    const head: MailContext = { service, to: account.email, username: account.username }
    return { head, wants }
  }

  const linkOf = (link: string) => new URL(link, `${publicUrl}/`).href

  /** Adds how to end such emails: as a link, and for mail clients (RFC 8058). */
  function unsubscribable(head: MailContext, accountId: string, kind: string | null, content: Content): Mail {
    const link = `${publicUrl}/notifications/unsubscribe?token=${tokens.make({ accountId, kind })}`
    const stop = kind === null ? 'To end these daily emails' : 'To end emails of this kind'
    const paragraphs = [...content.paragraphs, `${stop}, open ${link}`]
    return {
      ...composeEmail(head, { ...content, paragraphs }),
      headers: { 'List-Unsubscribe': `<${link}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    }
  }

  async function makeEmail(notification: Notification): Promise<Mail | undefined> {
    const { accountId, kind } = notification
    const recipient = await recipientOf(accountId, 'immediately')
    if (!recipient?.wants(kind)) return undefined
    const { title, body = [], link } = texts.write(notification)
    return unsubscribable(recipient.head, accountId, kind, {
      subject: title,
      paragraphs: [`${title}.`, ...body],
      key: link === undefined ? undefined : { link: linkOf(link) },
    })
  }

  async function makeDigest({ accountId, items }: NotificationDigest): Promise<Mail | undefined> {
    const recipient = await recipientOf(accountId, 'daily')
    const wanted = items.filter(({ kind }) => recipient?.wants(kind))
    if (!recipient || wanted.length === 0) return undefined
    const lines = wanted.map((item) => {
      const { title, link } = texts.write(item)
      return link === undefined ? title : `${title}: ${linkOf(link)}`
    })
    return unsubscribable(recipient.head, accountId, null, {
      subject: `What happened at ${service}`,
      paragraphs: ['This happened since the last email:', ...lines],
    })
  }

  /** Sends one email that is due; false when none is. */
  async function sendNext(signal: AbortSignal): Promise<boolean> {
    const now = clock()
    const retryAt = new Date(now.getTime() + RETRY_MS)
    const notification = await write((tx) => tx.notifications.takeEmail(now, retryAt))
    if (notification) {
      const sending = outbox.send('notification', () => makeEmail(notification))
      // A process that stops does not wait for a slow mailer. Another one sends an email again that may not have been sent.
      if (await Promise.race([sending, aborted(signal)])) {
        await write((tx) => tx.notifications.endEmail(notification.id, retryAt))
      }
      return true
    }
    const digest = await write((tx) => tx.notifications.takeDigest(now, retryAt, MAX_IN_DIGEST))
    if (!digest) return false
    const sending = outbox.send('notification_digest', () => makeDigest(digest))
    if (await Promise.race([sending, aborted(signal)])) {
      await write((tx) => tx.notifications.endDigest(digest, retryAt, nextDigestAt(now, digestHour)))
    }
    return true
  }

  return createTaskLoop(async (signal) => {
    try {
      while (!signal.aborted && (await sendNext(signal)));
    } catch (error) {
      if (!signal.aborted) onError(error)
    }
    return POLL_MS
  })
}

interface Content {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly key?: { readonly link: string } | undefined
}

/** Resolves to false when a signal is aborted. */
const aborted = (signal: AbortSignal): Promise<false> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(false)
    else signal.addEventListener('abort', () => resolve(false), { once: true })
  })
