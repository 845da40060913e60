import type { InvitedRole, JsonObject, WorkspaceRole } from '@eep/core/ports'
import type { Kysely } from 'kysely'
import type { BigintId } from './columns.ts'
import type { Database, Db } from './database.ts'

export interface WorkspaceTable {
  id: string
  name: string
  slug: string
  description: string | null
  created_by: string | null
  created_at: Date
  updated_at: Date
}

interface WorkspaceMemberTable {
  workspace_id: string
  account_id: string
  role: WorkspaceRole
  created_at: Date
}

export interface WorkspaceInvitationTable {
  id: BigintId
  workspace_id: string
  account_id: string | null
  email: string | null
  role: InvitedRole
  hash: string
  invited_by: string
  created_at: Date
  expires_at: Date
}

interface WorkspaceActivityTable {
  id: BigintId
  workspace_id: string
  action: string
  account_id: string | null
  subject_account_id: string | null
  document_id: string | null
  data: JsonObject
  at: Date
}

/** The tables of workspaces. Only their stores use them. */
export type WorkspaceTables = {
  workspaces: WorkspaceTable
  workspace_members: WorkspaceMemberTable
  workspace_invitations: WorkspaceInvitationTable
  workspace_activity: WorkspaceActivityTable
}

/** A connection that also has the tables of workspaces. */
export type WorkspaceDb = Kysely<Database & WorkspaceTables>

export const workspaceDb = (db: Db): WorkspaceDb => db.withTables<WorkspaceTables>()
