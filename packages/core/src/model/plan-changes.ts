import { z } from 'zod'
import { line } from '../kernel/text-fields.ts'

const whole = z.int().min(0).max(1_000_000_000)
const atLeastOne = whole.min(1)
const tierSchema = z.strictObject({
  name: line(64).optional(),
  apiRequestsPerMinute: atLeastOne.optional(),
  concurrentStreams: whole.max(1_000).optional(),
  maxWebhooks: whole.max(100_000).optional(),
  maxPosts: whole.optional(),
  maxFollows: whole.optional(),
  maxArchiveMembers: whole.optional(),
  maxMemorySessions: whole.optional(),
  maxMemoryMb: whole.optional(),
  maxWorkspaces: whole.max(10_000).optional(),
  maxWorkspaceDocuments: whole.max(100_000).optional(),
  maxWorkspaceMb: whole.optional(),
  commissionBps: whole.max(10_000).optional(),
  maxFileMb: atLeastOne.optional(),
  limits: z
    .strictObject({
      maxFiles: whole.optional(),
      maxBatchFiles: atLeastOne.max(1_000).optional(),
      maxBatchSizeMb: atLeastOne.optional(),
      maxStorageMb: whole.optional(),
      maxAudioUploadMb: atLeastOne.optional(),
      maxVideoUploadMb: atLeastOne.optional(),
      transcriptionMinutesPerMonth: whole.optional(),
      maxMediaDurationMinutesPerFile: whole.optional(),
    })
    .optional(),
})
/** The changes that a host can make to plans. */
export const planChangesSchema = z.strictObject({
  community: tierSchema.optional(),
  pro: tierSchema.optional(),
  team: tierSchema.optional(),
})
