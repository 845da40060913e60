import { z } from 'zod'
import { pagination } from '../../../http/documents/lists.ts'
import { ROLES } from '../../../model/permission.ts'
import { COMPLETION } from './completion.ts'
import { editable, profileRecord } from './schemas.ts'

const count = z.int().min(0)

export const completionSchema = z
  .object({ missing: z.array(z.enum(COMPLETION)), count: z.int().min(0).max(4) })
  .meta({ id: 'ProfileCompletion' })

/** A profile on the dashboard. */
const dashboardProfile = profileRecord
  .pick({
    id: true,
    did: true,
    profile_type: true,
    username: true,
    full_name: true,
    bio: true,
    avatar_url: true,
    cover_url: true,
    accent: true,
    capabilities: true,
    visibility: true,
    type_data: true,
    files: true,
    trust_score: true,
    created_at: true,
    updated_at: true,
  })
  .extend({
    url: z.url(),
    role: z.enum(ROLES).describe('The role of the caller in this profile'),
    completion: completionSchema,
    metrics: z.object({
      pages: z.object({ draft: count, published: count, archived: count }),
      categories: count,
      reactions: z.object({ like: count, bookmark: count }),
      sales: count.describe('Receipts of its sales'),
    }),
  })
  .meta({ id: 'DashboardProfile' })

export const dashboardSchema = z.object({ profiles: z.array(dashboardProfile), pagination }).meta({ id: 'Dashboard' })

export type DashboardRecord = z.input<typeof dashboardProfile>

const { full_name, bio, avatar_url, email, skills, socials, keywords, agent_instructions, agent_rules, custom_fields } =
  editable

/** The body of `PUT /manage/profile`: other members are ignored. */
export const ownProfileBody = z.object({
  full_name,
  bio,
  avatar_url,
  email,
  skills,
  socials,
  agent_instructions,
  agent_rules,
  keywords,
  custom_fields,
})

/** Other headers are passed through unchanged. */
export const activeProfileHeader = z.looseObject({
  'x-active-profile-id': z.coerce.number().int().min(1).optional().describe('The acting profile'),
})
