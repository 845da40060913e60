import type { ProfileExportFile } from '../../../framework/module/account-data.ts'
import { jsonListMember } from '../../../framework/module/export-member.ts'
import { allPages } from '../../../kernel/all-pages.ts'
import { didOf } from '../profiles/index.ts'

export const CONNECTIONS_PATH = 'connections.json'

/** The connections of a profile, by the public names of the profiles at their other ends. */
export const exportOfProfile: ProfileExportFile<'connections'>['exportOfProfile'] = ({ read, publicUrl }) =>
  async function* ({ profile: { id } }) {
    yield jsonListMember(CONNECTIONS_PATH, async function* () {
      for (const side of ['following', 'followers'] as const) {
        for await (const { profile, createdAt } of allPages((request) => read.connections.list(id, side, request))) {
          const { type, username } = profile
          const since = createdAt.toISOString()
          yield { side, did: didOf(publicUrl, profile), profile_type: type, username, created_at: since }
        }
      }
    })
  }
