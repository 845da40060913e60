import type { Profile } from '@eep/core/ports'
import type { Row } from '../database.ts'
import { toDate, toDateOrNull } from '../rows.ts'

export const toProfile = (row: Row<'profiles'>): Profile => ({
  id: Number(row.id),
  ownerAccountId: row.owner_account_id,
  type: row.type,
  username: row.username,
  fullName: row.full_name,
  bio: row.bio,
  avatarUrl: row.avatar_url,
  coverUrl: row.cover_url,
  accent: row.accent,
  email: row.email,
  skills: row.skills,
  socials: row.socials,
  keywords: row.keywords,
  agentInstructions: row.agent_instructions,
  agentRules: row.agent_rules,
  capabilities: row.capabilities,
  customFields: row.custom_fields,
  typeData: row.type_data,
  visibility: row.visibility,
  visibilityOnceVerified: row.visibility_once_verified,
  apps: row.apps,
  withdrawnAt: toDateOrNull(row.withdrawn_at),
  createdAt: toDate(row.created_at),
  updatedAt: toDate(row.updated_at),
})
