import { z } from 'zod'
import { importedTime } from '../../../framework/module/imported-times.ts'
import { parseList } from '../../../framework/module/parse-member.ts'
import { importBatches, type ProfileImporter, type SkippedItem } from '../../../framework/module/profile-import.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { unauthenticated } from '../../../kernel/errors.ts'
import type { PlanTable } from '../../../model/plan.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import type { ProfileService } from '../profiles/index.ts'
import { followLimitReached } from './errors.ts'
import { CONNECTIONS_PATH } from './export-connections.ts'

export interface ConnectionImportDeps {
  readonly read: Readers<'connections'>
  readonly clock: Clock
  readonly profiles: Pick<ProfileService, 'nameOf'>
  readonly planLimits: PlanTable
}

const MAX_CONNECTIONS = 200_000

const exportedConnection = z.object({
  side: z.enum(['following', 'followers']),
  did: z.string().min(1).max(2_048),
  created_at: z.iso.datetime().transform((text) => new Date(text)),
})

type ExportedConnection = z.output<typeof exportedConnection>

interface Follow {
  readonly followeeProfileId: number
  readonly createdAt: Date
}

/** How many names one statement looks up. */
const NAMES_AT_ONCE = 500

/**
 * Imports the profiles that a profile follows, if they exist on this service under the same DID. A profile that only has the same
 * name is another one. Followers are not imported: they chose a profile of the other service. Those that exceed the plan are left
 * out. No events are emitted, so no one is notified.
 */
export function createConnectionImporter({ read, clock, profiles, planLimits }: ConnectionImportDeps): ProfileImporter {
  /** Finds profiles that everyone may follow. A private one is not told apart from one that does not exist. */
  async function findFollowees(batch: readonly ExportedConnection[]) {
    const names = new Map(
      batch.flatMap(({ side, did }) => {
        const name = side === 'following' ? profiles.nameOf(did) : undefined
        return name ? [[did, name]] : []
      }),
    )
    const found = await read.connections.listFollowable([...names.values()])
    return (did: string) => {
      const name = names.get(did)
      return name && found.get(`${name.type}:${name.username}`)
    }
  }

  return {
    reads: (path) => path === CONNECTIONS_PATH,
    isOptional: (path) => path === CONNECTIONS_PATH,
    async check(source) {
      const value = (await source.json(CONNECTIONS_PATH)) ?? []
      const listed = await parseList(CONNECTIONS_PATH, exportedConnection, value, MAX_CONNECTIONS)
      const account = await read.accounts.get(source.accountId)
      if (!account) throw unauthenticated()
      const room = planLimits(account.tier).maxFollows - (await read.connections.countOfAccount(source.accountId))
      const follows = new Map<number, Follow>()
      const skipped: SkippedItem[] = []
      for (const batch of importBatches(listed, NAMES_AT_ONCE)) {
        const idOf = await findFollowees(batch)
        for (const { side, did, created_at } of batch) {
          const id = side === 'following' ? idOf(did) : undefined
          if (id !== undefined && follows.has(id)) continue
          if (id !== undefined && follows.size < room) {
            follows.set(id, { followeeProfileId: id, createdAt: importedTime(created_at, clock()) })
            continue
          }
          const missing = side === 'followers' ? 'follower' : 'profile_not_found'
          skipped.push({
            member: CONNECTIONS_PATH,
            item: did,
            reason: id === undefined ? missing : followLimitReached.code,
          })
        }
      }
      return {
        counts: { connections: follows.size },
        skipped,
        *store({ profile }) {
          // In the order of ids to avoid deadlocks. A profile that was deleted since the check is not followed.
          const inOrder = [...follows.values()].sort((left, right) => left.followeeProfileId - right.followeeProfileId)
          for (const batch of importBatches(inOrder)) {
            yield (tx) => requireGroup(tx, 'connections').connections.followAll(profile.id, batch)
          }
        },
      }
    },
  }
}
