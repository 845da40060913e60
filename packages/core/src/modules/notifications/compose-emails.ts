import type { Mail } from '../../ports/mailer.ts'
import type { Notification, NotificationDigest, NotificationEmail } from '../../ports/storage/notifications.ts'
import type { Readers } from '../../ports/storage/storage.ts'
import { composeEmail, type MailContext } from '../accounts/index.ts'
import { hasRoleFor } from './role.ts'
import type { NotificationTexts } from './texts.ts'
import type { UnsubscribeTokens } from './unsubscribe-token.ts'

export interface EmailComposerDeps {
  readonly read: Readers<'notifications'>
  readonly texts: NotificationTexts
  readonly tokens: Pick<UnsubscribeTokens, 'make'>
  readonly publicUrl: string
  /** The page with the notifications of an account. */
  readonly listUrl: string
  /** The name of the service in emails. */
  readonly service: string
}

/** A composed digest. */
export interface ComposedDigest {
  /** Undefined when nothing is to be sent. */
  readonly mail: Mail | undefined
  /** The ids of unlisted notifications that are left for the next digest. */
  readonly left: readonly string[]
}

const MAX_IN_DIGEST = 50

interface Content {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly key?: { readonly link: string } | undefined
}

/**
 * Composes the emails of notifications that are still current. Recipients have a verified address, have not unsubscribed,
 * and, for notifications of a team, still have the role that the kind requires.
 */
export function createEmailComposer({ read, texts, tokens, publicUrl, listUrl, service }: EmailComposerDeps) {
  /** Returns the recipient, and which notifications it receives by email at the given frequency. */
  async function recipientOf(accountId: string, way: NotificationEmail) {
    const account = await read.accounts.get(accountId)
    if (!account?.emailVerified || account.deletionScheduledAt || account.bannedAt) return undefined
    const chosen = await read.notifications.listPreferences([accountId])
    const wants = ({ kind }: Pick<Notification, 'kind'>) =>
      texts.get(kind)?.email != null &&
      (chosen.find((each) => each.kind === kind)?.email ?? texts.get(kind)?.email) === way
    const head: MailContext = { service, to: account.email, username: account.username }
    return { head, wants }
  }

  const linkOf = (link: string) => new URL(link, `${publicUrl}/`).href

  /** Adds an unsubscribe link to the text and to the headers (RFC 8058). */
  function unsubscribable(head: MailContext, accountId: string, kind: string | null, content: Content): Mail {
    const link = `${publicUrl}/notifications/unsubscribe?token=${tokens.make({ accountId, kind })}`
    const stop = kind === null ? 'To unsubscribe from these daily emails' : 'To unsubscribe from emails of this kind'
    const paragraphs = [...content.paragraphs, `${stop}, open ${link}`]
    return {
      ...composeEmail(head, { ...content, paragraphs }),
      headers: { 'List-Unsubscribe': `<${link}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    }
  }

  const isCurrent = async ({ kind, data }: Notification) => (await texts.get(kind)?.isCurrent(data, read)) ?? true

  /** Returns the current notifications whose recipient still has the required role. */
  async function permitted(items: readonly Notification[]): Promise<readonly Notification[]> {
    const answers = new Map<string, Promise<boolean>>()
    const ask = (item: Notification) => {
      const key = `${item.profileId} ${item.permission}`
      const answer = answers.get(key) ?? hasRoleFor(item, read)
      answers.set(key, answer)
      return answer
    }
    const isPermitted = await Promise.all(items.map(async (item) => (await ask(item)) && (await isCurrent(item))))
    return items.filter((_, index) => isPermitted[index])
  }

  return {
    /** Returns undefined when nothing is to be sent. */
    async notification(notification: Notification): Promise<Mail | undefined> {
      const { accountId, kind } = notification
      const recipient = await recipientOf(accountId, 'immediately')
      if (!recipient?.wants(notification) || (await permitted([notification])).length === 0) return undefined
      const { title, body = [], link, page = link } = texts.write(notification)
      return unsubscribable(recipient.head, accountId, kind, {
        subject: title,
        paragraphs: [`${title}.`, ...body],
        key: page === undefined ? undefined : { link: linkOf(page) },
      })
    },

    async digest({ accountId, items, waiting }: NotificationDigest): Promise<ComposedDigest> {
      const recipient = await recipientOf(accountId, 'daily')
      const wanted = recipient ? await permitted(items.filter(recipient.wants)) : []
      if (!recipient || wanted.length === 0) return { mail: undefined, left: [] }
      const shown = wanted.slice(0, MAX_IN_DIGEST)
      const left = wanted.slice(MAX_IN_DIGEST).filter(({ inApp }) => !inApp)
      const lines = shown
        .toSorted((one, other) => other.position - one.position)
        .map((item) => {
          const { title, link, page = link } = texts.write(item)
          return page === undefined ? title : `${title}: ${linkOf(page)}`
        })
      /** Returns how many listed or unlisted notifications the digest does not show. */
      const more = (isListed: boolean, all: number) => {
        const isOne = ({ inApp }: Notification) => inApp === isListed
        const unwanted = items.filter(isOne).length - wanted.filter(isOne).length
        return all - unwanted - shown.filter(isOne).length
      }
      const [listed, unlisted] = [more(true, waiting.listed), more(false, waiting.unlisted)]
      const mail = unsubscribable(recipient.head, accountId, null, {
        subject: `What happened at ${service}`,
        paragraphs: [
          'New since the last email:',
          ...lines,
          ...(listed > 0 ? [`And ${listed} more: ${listUrl}`] : []),
          ...(unlisted > 0 ? [`And ${unlisted} more, in the next email.`] : []),
        ],
      })
      return { mail, left: left.map(({ id }) => id) }
    },
  }
}

export type EmailComposer = ReturnType<typeof createEmailComposer>
