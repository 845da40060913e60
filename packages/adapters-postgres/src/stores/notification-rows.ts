import type { ActingApp, JsonObject, NamedProfile, Notification, NotificationEmail } from '@eep/core/ports'
import { type ExpressionBuilder, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Bigint, BigintOrNull } from '../columns.ts'
import type { Database } from '../database.ts'
import { databaseNow, toDate, toDateOrNull, toNumberOrNull } from '../rows.ts'
import { isActive, isVisibleTo } from './listed-profiles.ts'

/** The tables of notifications. Only the stores of this group use them, so they are declared here. */
export type NotificationTables = {
  notifications: {
    id: string
    position: Bigint
    account_id: string
    profile_id: BigintOrNull
    about_profile_id: BigintOrNull
    permission: Notification['permission']
    kind: string
    group_key: string | null
    count: number
    has_actors: boolean
    data: JsonObject
    in_app: boolean
    email_due_at: Date | null
    email_attempts: number
    in_digest: boolean
    created_at: Date
    updated_at: Date
    read_at: Date | null
    through: ActingApp | null
    through_account_id: string | null
  }
  notification_actors: { notification_id: string; profile_id: Bigint; at: Date }
  notification_preferences: {
    account_id: string
    kind: string
    in_app: boolean
    email: NotificationEmail | null
  }
  notification_digests: { account_id: string; due_at: Date; attempts: number }
}

/** A connection for the tables of notifications. */
export type NotificationDb = Kysely<Database & NotificationTables>

/** The maximum number of actors that a notification names. */
const SHOWN_ACTORS = 3

/** Selects the number of actors of notifications. */
export const actorCount = (query: ExpressionBuilder<Database & NotificationTables, 'notifications'>) =>
  query
    .selectFrom('notification_actors')
    .whereRef('notification_id', '=', 'notifications.id')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .as('actor_count')

/** Selects notifications with the number of their actors. */
export const countingActors = (db: NotificationDb) =>
  db.selectFrom('notifications').selectAll('notifications').select(actorCount)

/** A notification without the profiles that it names. */
type Unnamed = Omit<Notification, 'actors' | 'about'>

/** Reads a row of {@link countingActors}. */
export function toNotification(row: {
  readonly id: string
  readonly position: number | string
  readonly account_id: string
  readonly profile_id: number | string | null
  readonly permission: Notification['permission']
  readonly kind: string
  readonly count: number
  readonly has_actors: boolean
  readonly actor_count: number | string | null
  readonly data: JsonObject
  readonly in_app: boolean
  readonly created_at: Date
  readonly updated_at: Date
  readonly read_at: Date | null
  readonly through: ActingApp | null
}): Unnamed {
  return {
    id: row.id,
    position: Number(row.position),
    accountId: row.account_id,
    profileId: toNumberOrNull(row.profile_id),
    permission: row.permission,
    kind: row.kind,
    count: row.has_actors ? Number(row.actor_count) : row.count,
    data: row.data,
    inApp: row.in_app,
    createdAt: toDate(row.created_at),
    updatedAt: toDate(row.updated_at),
    readAt: toDateOrNull(row.read_at),
    through: row.through,
  }
}

/** Selects profiles that are neither withdrawn nor of banned accounts. */
const nameable = (db: NotificationDb) =>
  db.selectFrom('profiles').innerJoin('accounts', 'accounts.id', 'profiles.owner_account_id').where(isActive)

/** Whether an account has an open invitation to the team of a profile, or an open offer of the profile. */
const isOfferedTo = (db: NotificationDb, accountId: RawBuilder<string>) => sql<boolean>`(
  exists (${db
    .selectFrom('transfers')
    .select('transfers.id')
    .where('transfers.profile_id', '=', sql<number>`profiles.id`)
    .where('transfers.to_account_id', '=', accountId)
    .where('transfers.state', '=', 'pending')
    .where('transfers.expires_at', '>', databaseNow)})
  or exists (${db
    .selectFrom('invitations')
    .innerJoin('accounts as guest', (join) => join.on('guest.id', '=', accountId))
    .select('invitations.id')
    .where('invitations.profile_id', '=', sql<number>`profiles.id`)
    .where('invitations.expires_at', '>', databaseNow)
    .where(sql<boolean>`(
      invitations.account_id = guest.id
      or (guest.email_owned and lower(invitations.email) = lower(guest.email))
    )`)})
)`

/** Adds the profiles that notifications name. A private one is named to its team and to those it was offered to. */
export async function nameProfiles(db: NotificationDb, items: readonly Unnamed[]): Promise<readonly Notification[]> {
  if (items.length === 0) return []
  const ids = sql<string>`any(${items.map(({ id }) => id)}::uuid[])`
  const recipient = sql<string>`notifications.account_id`
  const abouts = await nameable(db)
    .innerJoin('notifications', 'notifications.about_profile_id', 'profiles.id')
    .where('notifications.id', '=', ids)
    .where(sql<boolean>`(${isVisibleTo(db, recipient)} or ${isOfferedTo(db, recipient)})`)
    .select(['notifications.id as notification_id', 'profiles.id', 'profiles.type', 'profiles.username'])
    .execute()
  const actors = await db
    .selectFrom('notifications')
    .innerJoinLateral(
      () =>
        nameable(db)
          .innerJoin('notification_actors as acted', 'acted.profile_id', 'profiles.id')
          .whereRef('acted.notification_id', '=', sql.ref('notifications.id'))
          .where('profiles.visibility', '!=', 'private')
          .select(['profiles.id', 'profiles.type', 'profiles.username', 'acted.at'])
          .orderBy('acted.at', 'desc')
          .orderBy('profiles.id', 'desc')
          .limit(SHOWN_ACTORS)
          .as('actor'),
      (join) => join.onTrue(),
    )
    .where('notifications.id', '=', ids)
    .select(['notifications.id as notification_id', 'actor.id', 'actor.type', 'actor.username'])
    .orderBy('actor.at', 'desc')
    .orderBy('actor.id', 'desc')
    .execute()
  const toProfile = ({ id, type, username }: Omit<(typeof abouts)[number], 'notification_id'>): NamedProfile => ({
    id: Number(id),
    type,
    username,
  })
  return items.map((item) => {
    const about = abouts.find((profile) => profile.notification_id === item.id)
    return {
      ...item,
      about: about ? toProfile(about) : null,
      actors: actors.filter((actor) => actor.notification_id === item.id).map(toProfile),
    }
  })
}
