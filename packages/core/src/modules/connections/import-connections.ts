import { z } from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import { isVisible } from '../../model/visibility.ts'
import { importedTime } from '../../module/imported-times.ts'
import { parseMember } from '../../module/parse-member.ts'
import type { ProfileImporter, SkippedItem } from '../../module/profile-import.ts'
import type { Readers } from '../../ports/storage/storage.ts'
import { requireGroup } from '../../storage/require-group.ts'
import type { ProfileService } from '../profiles/index.ts'
import { CONNECTIONS_PATH } from './export-connections.ts'

export interface ConnectionImportDeps {
  readonly read: Readers<'connections'>
  readonly clock: Clock
  readonly profiles: Pick<ProfileService, 'nameOf'>
}

const exportedConnections = z
  .array(
    z.object({
      side: z.enum(['following', 'followers']),
      did: z.string().min(1).max(2_048),
      created_at: z.iso.datetime().transform((text) => new Date(text)),
    }),
  )
  .max(200_000)

interface Follow {
  readonly followeeProfileId: number
  readonly createdAt: Date
}

/**
 * Imports the profiles that a profile follows, if they exist on this service under the same DID. A profile that only has the same
 * name is another one. Followers are not imported: they chose a profile of the other service. No events are emitted, so
 * no one is notified.
 */
export function createConnectionImporter({ read, clock, profiles }: ConnectionImportDeps): ProfileImporter {
  /** Finds a profile that everyone may follow. A private one is not told apart from one that does not exist. */
  async function findFollowee(did: string): Promise<number | undefined> {
    const name = profiles.nameOf(did)
    const profile = name && (await read.profiles.get(name))
    if (!profile || !isVisible(profile, 'address')) return undefined
    return (await read.accounts.get(profile.ownerAccountId))?.bannedAt === null ? profile.id : undefined
  }

  return {
    reads: (path) => path === CONNECTIONS_PATH,
    isOptional: (path) => path === CONNECTIONS_PATH,
    async check(source) {
      const listed = parseMember(CONNECTIONS_PATH, exportedConnections, (await source.json(CONNECTIONS_PATH)) ?? [])
      const follows = new Map<number, Follow>()
      const skipped: SkippedItem[] = []
      for (const { side, did, created_at } of listed) {
        const id = side === 'following' ? await findFollowee(did) : undefined
        if (id !== undefined) {
          if (!follows.has(id)) {
            follows.set(id, { followeeProfileId: id, createdAt: importedTime(created_at, clock()) })
          }
        } else {
          const reason = side === 'followers' ? 'follower' : 'profile_not_found'
          skipped.push({ member: CONNECTIONS_PATH, item: did, reason })
        }
      }
      return {
        counts: { connections: follows.size },
        skipped,
        async within(tx, _emit, { profile }) {
          const { connections } = requireGroup(tx, 'connections')
          // In the order of ids to avoid deadlocks. A profile that was deleted since the check is not followed.
          const inOrder = [...follows.values()].sort((left, right) => left.followeeProfileId - right.followeeProfileId)
          for (const follow of inOrder) await connections.follow({ followerProfileId: profile.id, ...follow })
        },
      }
    },
  }
}
