import type { NotificationText } from '../../../framework/module/define-notification.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { forbidden, unauthenticated } from '../../../kernel/errors.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { PageLanguage } from '../../../model/messages.ts'
import type { Notification, NotificationEmail, NotificationScope } from '../../../ports/storage/notifications.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { invalidOrExpiredToken } from '../../people/accounts/index.ts'
import type { MyProfiles } from '../../profiles/profiles/index.ts'
import { notActiveProfile, notificationWithoutEmail, unknownNotificationKind } from './errors.ts'
import type { NotificationTexts } from './texts.ts'
import type { UnsubscribeTokens, Unsubscription } from './unsubscribe-token.ts'

export interface NotificationDeps extends GuardedStorage<'notifications'> {
  readonly clock: Clock
  readonly texts: NotificationTexts
  readonly tokens: Pick<UnsubscribeTokens, 'read'>
  readonly myProfiles: Pick<MyProfiles, 'acting'>
}

/** The acting profile: the one that the request names, or the default of the caller. */
export interface Acting {
  readonly caller: Caller
  readonly activeProfileId?: number | undefined
}

/** A notification with its text. */
export interface WrittenNotification extends Notification {
  readonly text: NotificationText
}

/** A page of notifications. */
export interface NotificationPage extends Page<WrittenNotification> {
  /** The total number of unread notifications. */
  readonly unread: number
}

/** The preference of an account for one kind. */
export interface NotificationChoice {
  readonly kind: string
  readonly inApp: boolean
  /** Null for the default of the kind, and for a kind without emails. */
  readonly email: NotificationEmail | null
}

export function createNotificationService({ read, write, clock, texts, tokens, myProfiles }: NotificationDeps) {
  /**
   * Returns which notifications to list. Notifications for the account are listed with its default profile, but not for keys of
   * one profile.
   */
  async function scopeOf({ caller, activeProfileId }: Acting): Promise<NotificationScope> {
    const named = activeProfileId ?? caller.profileId
    const active = await myProfiles.acting(named, caller)
    const isDefault = async () => named === undefined || (await defaultProfileId(caller)) === active.id
    const withAccount = caller.profileId === undefined && (await isDefault())
    return { accountId: caller.account.id, profileId: active.id, withAccount }
  }

  const defaultProfileId = async (caller: Caller): Promise<number> => (await myProfiles.acting(undefined, caller)).id

  async function preferencesOf(accountId: string) {
    const chosen = await read.notifications.listPreferences([accountId])
    return texts.definitions.map(({ kind, summary, email }) => {
      const choice = chosen.find((each) => each.kind === kind)
      return { kind, summary, inApp: choice?.inApp ?? true, email: email && (choice?.email ?? email) }
    })
  }

  return {
    async list(
      { profileId, unread, ...page }: PageRequest & { readonly profileId: number; readonly unread: boolean },
      actor: Acting,
      reader: PageLanguage = {},
    ): Promise<NotificationPage> {
      const scope = await scopeOf(actor)
      if (scope.profileId !== profileId) throw notActiveProfile()
      const { kinds } = texts
      const [listed, count] = await Promise.all([
        read.notifications.list(scope, { kinds, unread }, page),
        read.notifications.countUnread(scope, kinds),
      ])
      return {
        ...listed,
        items: listed.items.map((item) => ({ ...item, text: texts.write(item, reader) })),
        unread: count,
      }
    },

    async markRead(ids: readonly string[] | undefined, actor: Acting): Promise<{ marked: number; unread: number }> {
      const scope = await scopeOf(actor)
      return write(async (tx) => {
        const marked = await tx.notifications.markRead(scope, clock(), ids)
        return { marked, unread: await tx.notifications.countUnread(scope, texts.kinds) }
      })
    },

    preferences: ({ account }: Caller): Promise<readonly (NotificationChoice & { readonly summary: string })[]> =>
      preferencesOf(account.id),

    /** Whether this service issued a token. */
    canUnsubscribe: (token: string): boolean => tokens.read(token) !== undefined,

    /**
     * Unsubscribes from the emails that a token names, and returns their kinds. Idempotent.
     *
     * @throws `invalid_or_expired_token`
     */
    async unsubscribe(token: string): Promise<readonly string[]> {
      const named = tokens.read(token)
      if (!named) throw invalidOrExpiredToken()
      const ended = (await preferencesOf(named.accountId)).filter((each) => isNamed(each, named))
      const choices = ended.map(({ kind, inApp }) => ({ kind, inApp, email: 'off' as const }))
      if (!(await write((tx) => tx.notifications.putPreferences(named.accountId, choices))))
        throw invalidOrExpiredToken()
      return ended.map(({ kind }) => kind)
    },

    async setPreferences(choices: readonly NotificationChoice[], { account, profileId }: Caller): Promise<void> {
      if (profileId !== undefined)
        throw forbidden({ message: 'An API key of one profile cannot change preferences of the account' })
      const unknown = choices.find(({ kind }) => !texts.get(kind))
      if (unknown) throw unknownNotificationKind({ details: { kind: unknown.kind, kinds: texts.kinds } })
      const silent = choices.find(({ kind, email }) => email !== null && texts.get(kind)?.email === null)
      if (silent) throw notificationWithoutEmail({ details: { kind: silent.kind } })
      const isStored = await write((tx) => tx.notifications.putPreferences(account.id, choices))
      if (!isStored) throw unauthenticated()
    },
  }
}

const isNamed = ({ kind, email }: NotificationChoice, named: Unsubscription): boolean =>
  named.kind === null ? email === 'daily' : kind === named.kind && email !== null

/** Notifications of accounts. */
export type NotificationService = ReturnType<typeof createNotificationService>
