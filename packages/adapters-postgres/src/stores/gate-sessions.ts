import type { GateSessionStore } from '@eep/core/ports'
import { type Kysely, sql } from 'kysely'
import type { Bigint } from '../columns.ts'
import type { Database, Db } from '../database.ts'
import { deleteSelected } from '../delete-selected.ts'
import { isText, keepProfile, toDate } from '../rows.ts'

/** The table of this group. Only this file uses it, so it is declared here. */
type GateSessionTables = {
  gate_session_revocations: { profile_id: Bigint; agent_did: string; revoked_at: Date }
}

export function gateSessions(database: Db): GateSessionStore {
  const db: Kysely<Database & GateSessionTables> = database.withTables<GateSessionTables>()
  return {
    async getRevokedAt(profileId, agentDid) {
      if (!isText(agentDid)) return undefined
      const row = await db
        .selectFrom('gate_session_revocations')
        .select('revoked_at')
        .where('profile_id', '=', profileId)
        .where('agent_did', '=', agentDid)
        .executeTakeFirst()
      return row && toDate(row.revoked_at)
    },

    async revoke({ profileId, agentDid, revokedAt }) {
      if (!(await keepProfile(database, profileId))) return false
      await db
        .insertInto('gate_session_revocations')
        .values({ profile_id: profileId, agent_did: agentDid, revoked_at: revokedAt })
        .onConflict((conflict) =>
          conflict.columns(['profile_id', 'agent_did']).doUpdateSet({
            revoked_at: sql<Date>`greatest(gate_session_revocations.revoked_at, excluded.revoked_at)`,
          }),
        )
        .execute()
      return true
    },

    async prune(before, limit) {
      return deleteSelected(database, 'gate_session_revocations', ['profile_id', 'agent_did'], (rows) =>
        rows.where('revoked_at', '<', before).orderBy('revoked_at').limit(limit),
      )
    },
  }
}
