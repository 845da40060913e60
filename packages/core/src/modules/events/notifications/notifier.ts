import { randomUUID } from 'node:crypto'
import type { Notice, NotificationDefinition, Recipients } from '../../../framework/module/define-notification.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Action, May } from '../../../model/permission.ts'
import type { EepLogger } from '../../../ports/logger.ts'
import type { StoredEvent } from '../../../ports/storage/events.ts'
import type { NewNotification } from '../../../ports/storage/notifications.ts'
import type { Readers, Stores } from '../../../ports/storage/storage.ts'
import type { TransactionalHandler } from '../../../runtime/consumers/durable.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { listAdministrators } from '../../people/accounts/index.ts'
import { accountsOfTeam } from '../../profiles/profiles/index.ts'
import { nextDigestAt } from './digest-time.ts'
import { notificationCreated } from './events.ts'
import { createMappingFaults } from './mapping-faults.ts'

export interface NotifierDeps {
  readonly read: Readers<'notifications'>
  readonly clock: Clock
  readonly may: May
  readonly definitions: readonly NotificationDefinition[]
  /** The addresses of `auth.adminEmails`. */
  readonly adminEmails: readonly string[]
  /** The hour (UTC) of daily emails; undefined when the service sends no email. */
  readonly digestHour: number | undefined
  readonly logger: EepLogger | undefined
  /** Called after notifications were stored. */
  readonly onStored: () => void
}

/** A notification before preferences are applied. */
interface MadeNotification extends NewNotification {
  readonly byEmail: boolean
}

/** The permission that a recipient needs. */
const permissionOf = ({ permission = 'profile.edit' }: Extract<Recipients, { readonly profileId: number }>): Action =>
  permission

/**
 * Creates notifications from the events of the log, in the transaction that advances the cursor. So each event is mapped
 * once, by one instance.
 */
export function createNotifier(deps: NotifierDeps): TransactionalHandler {
  const { read, clock, may, definitions, adminEmails, digestHour, logger, onStored } = deps
  const faults = createMappingFaults(logger)
  const byType = new Map<string, NotificationDefinition[]>()
  for (const definition of definitions) {
    for (const type of definition.types) byType.set(type, [...(byType.get(type) ?? []), definition])
  }

  /** Returns the accounts of a team whose role has a permission. Empty while the profile is withdrawn. */
  async function teamOf(profileId: number, permission: Action): Promise<readonly string[]> {
    const profile = await read.profiles.get(profileId)
    if (!profile || profile.withdrawnAt) return []
    return accountsOfTeam(read, profile, (role) => may(role, permission))
  }

  async function recipientsOf(to: Recipients, event: StoredEvent): Promise<readonly string[]> {
    if ('accountId' in to) return [to.accountId]
    if ('administrators' in to) return listAdministrators(read, adminEmails)
    const team = await teamOf(to.profileId, permissionOf(to))
    return team.filter((accountId) => accountId !== event.accountId)
  }

  /** Maps an event to notifications. Empty when the mapping throws; then the batch is retried until the failure is given up. */
  async function noticesOf(event: StoredEvent, definition: NotificationDefinition): Promise<readonly Notice[]> {
    try {
      const notices = await definition.notify(event, read)
      faults.recovered(definition.kind)
      return notices
    } catch (error) {
      faults.add(error, event, definition.kind)
      return []
    }
  }

  async function notificationsOf(event: StoredEvent): Promise<readonly MadeNotification[]> {
    const made: MadeNotification[] = []
    for (const definition of byType.get(event.type) ?? []) {
      const { kind } = definition
      const notices = await noticesOf(event, definition)
      for (const { to, actorProfileId, aboutProfileId, groupKey, byEmail = true, data } of notices) {
        const profileId = 'profileId' in to ? to.profileId : null
        for (const accountId of await recipientsOf(to, event)) {
          made.push({
            id: randomUUID(),
            accountId,
            profileId,
            permission: 'profileId' in to ? permissionOf(to) : null,
            kind,
            groupKey: groupKey === undefined ? null : `${profileId ?? 'account'}:${kind}:${groupKey}`,
            actorProfileId: actorProfileId ?? null,
            through:
              event.through && event.accountId !== null ? { ...event.through, accountId: event.accountId } : null,
            aboutProfileId: aboutProfileId === undefined ? profileId : aboutProfileId,
            data,
            inApp: true,
            emailAt: null,
            digestAt: null,
            createdAt: clock(),
            byEmail,
          })
        }
      }
    }
    return made
  }

  async function prepare(events: readonly StoredEvent[]) {
    const made: MadeNotification[] = []
    for (const event of events) if (byType.has(event.type)) made.push(...(await notificationsOf(event)))
    faults.end()
    const wanted = await withPreferences(made)
    if (wanted.length === 0) return undefined
    return async (stores: Stores<'followers'>, emit: Emit) => {
      const { notifications } = requireGroup(stores, 'notifications')
      for (const { id, accountId, profileId, kind, count, inApp } of await notifications.add(wanted)) {
        if (!inApp) continue
        const data = { notificationId: id, kind, forProfileId: profileId, count }
        emit(notificationCreated, data, { accountId, profileId: profileId ?? undefined })
      }
    }
  }

  /** Applies the preferences of the recipients. */
  async function withPreferences(made: readonly MadeNotification[]): Promise<readonly NewNotification[]> {
    if (made.length === 0) return made
    const accountIds = [...new Set(made.map(({ accountId }) => accountId))]
    const chosen = await read.notifications.listPreferences(accountIds)
    return made.flatMap(({ byEmail, ...item }) => {
      const choice = chosen.find((each) => each.accountId === item.accountId && each.kind === item.kind)
      const inApp = choice?.inApp ?? true
      const kindEmail = definitions.find(({ kind }) => kind === item.kind)?.email ?? null
      const email = !byEmail || kindEmail === null || digestHour === undefined ? 'off' : (choice?.email ?? kindEmail)
      if (!inApp && email === 'off') return []
      return {
        ...item,
        inApp,
        // An unlisted notification is never marked as read, so events would be added to it forever.
        groupKey: inApp ? item.groupKey : null,
        emailAt: email === 'immediately' ? item.createdAt : null,
        digestAt: email === 'daily' ? nextDigestAt(item.createdAt, digestHour ?? 0) : null,
      }
    })
  }

  return { prepare, stored: onStored }
}
