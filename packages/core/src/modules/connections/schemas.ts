import { z } from 'zod'
import { listOf } from '../../http/lists.ts'
import { PROFILE_TYPES } from '../../model/profile-type.ts'

const profileSummary = z.object({
  id: z.int(),
  did: z.string(),
  profile_type: z.enum(PROFILE_TYPES),
  username: z.string(),
  full_name: z.string().nullable(),
  avatar_url: z.string().nullable(),
  trust_score: z.int().min(0).max(100),
  url: z.string(),
})

export const connectionSchema = z.object({
  follower: profileSummary.describe('The profile that acts'),
  followee: profileSummary,
})

export const connectionList = listOf(profileSummary.extend({ followed_at: z.iso.datetime() }))

export const doneSchema = z.object({ success: z.literal(true) })
