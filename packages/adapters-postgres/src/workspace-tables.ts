import type { InvitedRole, JsonObject, WorkspaceRole } from '@eep/core/ports'
import type { ColumnType, Kysely } from 'kysely'
import type { Bigint, BigintId } from './columns.ts'
import type { Database, Db } from './database.ts'

export interface WorkspaceTable {
  id: string
  name: string
  slug: string
  description: string | null
  created_by: string | null
  created_at: Date
  updated_at: Date
  /** Set when its rows are to be deleted, in parts. */
  deleted_at: Date | null
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

export interface WorkspaceDocumentTable {
  id: string
  workspace_id: string
  parent_id: string | null
  title: string
  body: string
  version: number
  position: Bigint
  created_at: Date
  updated_at: Date
}

/** The database computes it. */
type Bytes = ColumnType<number | string, never, never>

export interface WorkspaceDocumentVersionTable {
  document_id: string
  version: number
  workspace_id: string
  title: string
  body: string
  created_at: Date
  created_by: string
  replaceable_until: Date | null
  bytes: Bytes
}

export interface WorkspaceCommentTable {
  id: BigintId
  document_id: string
  workspace_id: string
  account_id: string | null
  body: string
  created_at: Date
  bytes: Bytes
}

interface WorkspacePublicationTable {
  document_id: string
  profile_id: Bigint
  page_id: Bigint
  version: number | null
  published_at: Date | null
}

/** The tables of workspaces. Only their stores use them. */
export type WorkspaceTables = {
  workspaces: WorkspaceTable
  workspace_members: WorkspaceMemberTable
  workspace_invitations: WorkspaceInvitationTable
  workspace_activity: WorkspaceActivityTable
  workspace_documents: WorkspaceDocumentTable
  workspace_document_versions: WorkspaceDocumentVersionTable
  workspace_comments: WorkspaceCommentTable
  workspace_publications: WorkspacePublicationTable
}

/** A connection that also has the tables of workspaces. */
export type WorkspaceDb = Kysely<Database & WorkspaceTables>

export const workspaceDb = (db: Db): WorkspaceDb => db.withTables<WorkspaceTables>()

/** Selects the ids of workspaces whose rows are deleted in parts. */
export const deletedWorkspaces = (db: WorkspaceDb) =>
  db.selectFrom('workspaces').select('workspaces.id').where('workspaces.deleted_at', 'is not', null)
