import type {
  ActingApp,
  Category,
  JsonObject,
  PageStatus,
  ProfileApps,
  ProfileType,
  ReactionKind,
  Visibility,
} from '@eep/core/ports'
import type { ColumnType } from 'kysely'
import type { Bigint, BigintId, BigintOrNull } from './columns.ts'

export interface ProfileTable {
  id: BigintId
  owner_account_id: string
  type: ProfileType
  username: string
  full_name: string | null
  bio: string | null
  avatar_url: string | null
  cover_url: string | null
  accent: string | null
  email: string | null
  skills: readonly string[]
  socials: Readonly<Record<string, string>>
  keywords: readonly string[]
  agent_instructions: string | null
  agent_rules: string | null
  capabilities: readonly string[]
  custom_fields: JsonObject
  type_data: JsonObject
  visibility: Visibility
  visibility_once_verified: Exclude<Visibility, 'private'> | null
  apps: ProfileApps
  withdrawn_at: ColumnType<Date | null, never, Date | null>
  created_at: Date
  updated_at: Date
}

export interface ReservedNameTable {
  name_hash: string
  type: ProfileType
  owner_account_id: string | null
  was_readable: boolean
  reserved_at: Date
}

export interface ProfileNameTable {
  username: string
  type: ProfileType
  profile_id: Bigint
  kept_until: Date
}

export interface CategoryTable {
  id: BigintId
  profile_id: Bigint
  parent_id: BigintOrNull
  name: string
  slug: string
  description: string | null
  icon: string | null
  visibility: Category['visibility']
  position: Bigint
  created_at: Date
  updated_at: Date
}

/**
 * Triggers write `first_file_id`, the first image of the profile that the body shows, and one more column: `file_ids`, those that it links
 * to.
 */
export interface PageTable {
  id: BigintId
  profile_id: Bigint
  category_id: BigintOrNull
  title: string
  slug: string
  body: string
  excerpt: string | null
  status: PageStatus
  version: number
  position: Bigint
  created_at: Date
  updated_at: Date
  published_at: Date | null
  cover_file_id: BigintOrNull
  first_file_id: ColumnType<number | string | null, never, never>
}

export interface PageVersionTable {
  page_id: Bigint
  version: number
  title: string
  body: string
  excerpt: string | null
  status: PageStatus
  created_at: Date
  created_by: string
  through: ActingApp | null
  /** The database computes it. */
  bytes: ColumnType<number | string, never, never>
  replaceable_until: Date | null
}

export interface PageDraftTable {
  page_id: Bigint
  title: string
  body: string
  excerpt: string | null
  cover_file_id: BigintOrNull
  base_version: number
  revision: string
  updated_at: Date
  updated_by: string | null
  /** The database computes it. */
  bytes: ColumnType<number | string, never, never>
}

export interface ScheduledPublicationTable {
  page_id: Bigint
  publish_at: Date
  scheduled_by: string | null
}

export interface PagePreviewLinkTable {
  id: BigintId
  page_id: Bigint
  hash: string
  created_by: string
  owner_account_id: string
  created_at: Date
  expires_at: Date
}

/** Maintained by triggers. Queries only read it. */
export interface PageCountTable {
  profile_id: ColumnType<number | string, never, never>
  place_id: ColumnType<number | string, never, never>
  status: ColumnType<PageStatus, never, never>
  count: ColumnType<number | string, never, never>
}

export interface OldPathTable {
  profile_id: Bigint
  path: string
  slug: string
  place_id: BigintOrNull
  page_id: BigintOrNull
  category_id: BigintOrNull
  created_at: Date
}

export interface ReactionTable {
  page_id: Bigint
  kind: ReactionKind
  account_id: string
  created_at: Date
}

export interface ReactionCountTable {
  page_id: Bigint
  kind: ReactionKind
  count: Bigint
}
