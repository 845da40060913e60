import type { z } from 'zod'
import { pageOfNotification } from '../../../framework/module/define-notification.ts'
import type { Account } from '../../../model/account.ts'
import type { PageLanguage } from '../../../model/messages.ts'
import type { May } from '../../../model/permission.ts'
import type { Notification, NotificationDigest, NotificationEmail } from '../../../ports/storage/notifications.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { EmailDefinition } from '../../../runtime/email/define-email.ts'
import type { Letter } from '../../../runtime/email/write-email.ts'
import { type notificationDigestEmail, notificationEmail } from './email-definitions.ts'
import { hasRoleFor } from './role.ts'
import { type NotificationTexts, plainText } from './texts.ts'
import type { UnsubscribeTokens } from './unsubscribe-token.ts'

export interface EmailComposerDeps {
  readonly read: Readers<'notifications'>
  readonly may: May
  readonly texts: NotificationTexts
  readonly tokens: Pick<UnsubscribeTokens, 'make'>
  readonly publicUrl: string
  /** The language of an account, for the texts of notifications. */
  readonly readerOf: (account: Pick<Account, 'language'>) => PageLanguage
  /** The page with the notifications of an account. */
  readonly listUrl: string
}

/** A composed digest. */
export interface ComposedDigest {
  /** Undefined when nothing is to be sent. */
  readonly letter: DigestLetter | undefined
  /** The ids of unlisted notifications that are left for the next digest. */
  readonly left: readonly string[]
}

const MAX_IN_DIGEST = 50

type DigestLetter = Letter<z.output<typeof notificationDigestEmail.data>>

/**
 * Composes the emails of notifications that are still current. Recipients have a verified address (except for emails with
 * `toUnverified`), have not unsubscribed, and, for notifications of a team, still have the role that the kind requires.
 */
export function createEmailComposer({ read, may, texts, tokens, publicUrl, readerOf, listUrl }: EmailComposerDeps) {
  /** Returns the recipient, and which notifications it receives by email at the given frequency. */
  async function recipientOf(accountId: string, way: NotificationEmail, toUnverified = false) {
    const account = await read.accounts.get(accountId)
    if (!account || account.deletionScheduledAt || account.bannedAt) return undefined
    if (!account.emailVerified && !toUnverified) return undefined
    const chosen = await read.notifications.listPreferences([accountId])
    const wants = ({ kind }: Pick<Notification, 'kind'>) =>
      texts.get(kind)?.email != null &&
      (chosen.find((each) => each.kind === kind)?.email ?? texts.get(kind)?.email) === way
    return {
      head: { to: account.email, username: account.username, language: account.language },
      reader: readerOf(account),
      wants,
    }
  }

  const linkOf = (link: string) => new URL(link, `${publicUrl}/`).href

  /** The link that unsubscribes, and the headers with it (RFC 8058). */
  function unsubscribing(accountId: string, kind: string | null) {
    const unsubscribe = `${publicUrl}/notifications/unsubscribe?token=${tokens.make({ accountId, kind })}`
    const headers = { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
    return { unsubscribe, headers }
  }

  const isCurrent = async ({ kind, data }: Notification) => (await texts.get(kind)?.isCurrent(data, read)) ?? true

  /** Returns the current notifications whose recipient still has the required role. */
  async function permitted(items: readonly Notification[]): Promise<readonly Notification[]> {
    const answers = new Map<string, Promise<boolean>>()
    const ask = (item: Notification) => {
      const key = `${item.profileId} ${item.permission}`
      const answer = answers.get(key) ?? hasRoleFor(item, read, may)
      answers.set(key, answer)
      return answer
    }
    const isPermitted = await Promise.all(items.map(async (item) => (await ask(item)) && (await isCurrent(item))))
    return items.filter((_, index) => isPermitted[index])
  }

  return {
    /** The email of a kind. */
    emailOf: (kind: string): EmailDefinition => texts.get(kind)?.ownEmail?.email ?? notificationEmail,

    /** Returns the letter of {@link emailOf} its kind. Undefined when nothing is to be sent. */
    async notification(notification: Notification): Promise<Letter<unknown> | undefined> {
      const { accountId, kind } = notification
      const own = texts.get(kind)?.ownEmail
      const recipient = await recipientOf(accountId, 'immediately', own?.toUnverified)
      if (!recipient?.wants(notification) || (await permitted([notification])).length === 0) return undefined
      const { unsubscribe, headers } = unsubscribing(accountId, kind)
      if (own) {
        const data = await own.data(notification.data, { accountId, unsubscribe, linkTo: linkOf, read })
        return data === undefined ? undefined : { ...recipient.head, data, headers }
      }
      const text = plainText(texts.write(notification, recipient.reader))
      const { title, body = [] } = text
      const page = pageOfNotification(text)
      const data: z.output<typeof notificationEmail.data> = {
        kind,
        title,
        body: [...body],
        unsubscribe,
        ...(page !== undefined && { link: linkOf(page) }),
      }
      return { ...recipient.head, data, headers }
    },

    async digest({ accountId, items, waiting }: NotificationDigest): Promise<ComposedDigest> {
      const recipient = await recipientOf(accountId, 'daily')
      const wanted = recipient ? await permitted(items.filter(recipient.wants)) : []
      if (!recipient || wanted.length === 0) return { letter: undefined, left: [] }
      const shown = wanted.slice(0, MAX_IN_DIGEST)
      const left = wanted.slice(MAX_IN_DIGEST).filter(({ inApp }) => !inApp)
      const lines = shown
        .toSorted((one, other) => other.position - one.position)
        .map((item) => {
          const text = plainText(texts.write(item, recipient.reader))
          const page = pageOfNotification(text)
          return { text: text.title, ...(page !== undefined && { link: linkOf(page) }) }
        })
      /** Returns how many listed or unlisted notifications the digest does not show. */
      const more = (isListed: boolean, all: number) => {
        const isOne = ({ inApp }: Notification) => inApp === isListed
        const unwanted = items.filter(isOne).length - wanted.filter(isOne).length
        return all - unwanted - shown.filter(isOne).length
      }
      const { unsubscribe, headers } = unsubscribing(accountId, null)
      const data = {
        items: lines,
        more: more(true, waiting.listed),
        listUrl,
        later: more(false, waiting.unlisted),
        unsubscribe,
      }
      return { letter: { ...recipient.head, data, headers }, left: left.map(({ id }) => id) }
    },
  }
}

export type EmailComposer = ReturnType<typeof createEmailComposer>
