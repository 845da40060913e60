import { z } from 'zod'
import { listOf } from '../../../http/documents/lists.ts'
import { profileSummary } from '../profiles/index.ts'

const scoredSummary = profileSummary
  .extend({ trust_score: z.int().min(0).max(100) })
  .meta({ id: 'ScoredProfileSummary' })

export const connectionSchema = z
  .object({
    follower: scoredSummary.describe('The profile that acts'),
    followee: scoredSummary,
  })
  .meta({ id: 'Connection' })

export const connectionState = z.object({ following: z.boolean() }).meta({ id: 'ConnectionState' })

export const connectionList = listOf(scoredSummary.extend({ followed_at: z.iso.datetime() })).meta({
  id: 'ConnectionList',
})

export const doneSchema = z.object({ success: z.literal(true) }).meta({ id: 'Success' })
