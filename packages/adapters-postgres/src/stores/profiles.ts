import type {
  PageRequest,
  ProfileChanges,
  ProfileName,
  ProfileNameStore,
  ProfileNumberReader,
  ProfileStore,
} from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { asc, listPage } from '../list-page.ts'
import { isText, isUuid, json } from '../rows.ts'
import { listProofs } from './account-proofs.ts'
import { lockPostsOf } from './feed-locks.ts'
import { isNotHidden } from './hidden-profiles.ts'
import { deleteLinksOfOthers } from './page-preview-links.ts'
import { getByFormerName, holdName, isKeptName, listFormerNames, listIdsOf, rename } from './profile-names.ts'
import { countOfAccount, countOfProfiles } from './profile-numbers.ts'
import { toProfile } from './profile-row.ts'
import { countReservedNames, getReservedName, isReservedName, reserveNames } from './reserved-names.ts'

export { toProfile } from './profile-row.ts'

export function profiles(db: Db): ProfileStore {
  const one = (id: number) => db.selectFrom('profiles').selectAll().where('id', '=', id)
  const named = ({ type, username }: ProfileName) =>
    isText(username)
      ? db.selectFrom('profiles').selectAll().where('username', '=', username).where('type', '=', type)
      : undefined

  return {
    async get(key) {
      const row = await (typeof key === 'number' ? one(key) : named(key))?.executeTakeFirst()
      return row && toProfile(row)
    },

    async listTypesOf(username, at, nameHashes = []) {
      if (!isText(username)) return []
      const rows = await db
        .selectFrom('profiles')
        .select('type')
        .where('username', '=', username)
        .union(
          db.selectFrom('profile_names').select('type').where('username', '=', username).where('kept_until', '>', at),
        )
        .union(
          db.selectFrom('reserved_names').select('type').where(sql<boolean>`name_hash = any(${nameHashes}::text[])`),
        )
        .execute()
      return rows.map((row) => row.type)
    },

    reserveNames: (names) => reserveNames(db, names),

    countOfAccount: (accountId) => countOfAccount(db, accountId),

    listOfAccount: (accountId, request) => listOfAccount(db, accountId, request),

    async insert(profile, nameHashes = []) {
      await holdName(db, profile)
      if (await isKeptName(db, profile, profile.createdAt)) return undefined
      const row = await db
        .insertInto('profiles')
        .values({
          ...fields(profile),
          type: profile.type,
          username: profile.username,
          created_at: profile.createdAt,
          updated_at: profile.createdAt,
        })
        .onConflict((conflict) => conflict.columns(['username', 'type']).doNothing())
        .returningAll()
        .executeTakeFirst()
      if (!row) return undefined
      // Checked last: a transaction that deletes a profile of this name and reserves the name has committed before the insert.
      if (await isReservedName(db, nameHashes, profile.ownerAccountId)) {
        await db.deleteFrom('profiles').where('id', '=', row.id).execute()
        return undefined
      }
      return toProfile(row)
    },

    async lock(id) {
      const row = await one(id).forUpdate().executeTakeFirst()
      return row && toProfile(row)
    },

    async save(id, changes) {
      const row = await db
        .updateTable('profiles')
        .set({ ...changedFields(changes), updated_at: changes.updatedAt })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      if (changes.ownerAccountId !== undefined) await deleteLinksOfOthers(db, id, changes.ownerAccountId)
      return row && toProfile(row)
    },

    async withdrawOfAccount(accountId, at) {
      if (!isUuid(accountId)) return []
      const rows = await db
        .updateTable('profiles')
        .set({ withdrawn_at: at })
        .where('owner_account_id', '=', accountId)
        .where(isNotHidden(db))
        .returningAll()
        .execute()
      return rows.map(toProfile).sort((left, right) => +left.createdAt - +right.createdAt || left.id - right.id)
    },

    async delete(id) {
      await lockPostsOf(db, [id])
      const { numDeletedRows } = await db.deleteFrom('profiles').where('id', '=', id).executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}

async function listOfAccount(db: Db, accountId: string, request: PageRequest) {
  const owned = db.selectFrom('profiles').where('owner_account_id', '=', accountId)
  const counted = owned.select((query) => query.fn.countAll<string>().as('count'))
  const query = owned.selectAll().select(counted.as('total'))
  return listPage(query, request, {
    order: [asc('created_at', 'moment'), asc('id', 'number')],
    item: toProfile,
    key: (profile) => [profile.createdAt.getTime(), profile.id],
    counted,
  })
}

type Fields = Omit<ProfileChanges, 'updatedAt'>

const changedFields = (profile: Fields) => ({
  owner_account_id: profile.ownerAccountId,
  full_name: profile.fullName,
  bio: profile.bio,
  avatar_url: profile.avatarUrl,
  cover_url: profile.coverUrl,
  accent: profile.accent,
  email: profile.email,
  skills: profile.skills,
  socials: profile.socials && json(profile.socials),
  keywords: profile.keywords,
  agent_instructions: profile.agentInstructions,
  agent_rules: profile.agentRules,
  capabilities: profile.capabilities,
  custom_fields: profile.customFields && json(profile.customFields),
  type_data: profile.typeData && json(profile.typeData),
  visibility: profile.visibility,
  visibility_once_verified: profile.visibilityOnceVerified,
  apps: profile.apps,
})

/** The same for a new profile, of which no field is missing. */
const fields = (profile: Required<Fields>) =>
  changedFields(profile) as { [Column in keyof ReturnType<typeof changedFields>]: Defined<Column> }

type Defined<Column extends keyof ReturnType<typeof changedFields>> = Exclude<
  ReturnType<typeof changedFields>[Column],
  undefined
>

/** Counts of the contents of profiles. */
export function profileNumbers(db: Db): ProfileNumberReader {
  return {
    countOfProfiles: (ids) => countOfProfiles(db, ids),

    listProofs: (accountIds) => listProofs(db, accountIds),
  }
}

/** Former names of profiles. */
export function profileNames(db: Db): ProfileNameStore {
  return {
    getReserved: (nameHashes) => getReservedName(db, nameHashes),

    countReserved: (accountId, since) => countReservedNames(db, accountId, since),

    listIdsOf: (names, at) => listIdsOf(db, names, at),

    getProfile: (type, username, at) => getByFormerName(db, { type, username }, at),

    listFormer: (id, at) => listFormerNames(db, id, at),

    rename: (id, change) => rename(db, id, change),
  }
}
