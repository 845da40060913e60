import { z } from 'zod'
import type { Clock } from '../../../kernel/clock.ts'
import { isEepError } from '../../../kernel/errors.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import type { May } from '../../../model/permission.ts'
import type { PlanTable } from '../../../model/plan.ts'
import type { JobKind, JobRun } from '../../../ports/job-kind.ts'
import type { StoredFile } from '../../../ports/storage/files.ts'
import type { Job } from '../../../ports/storage/jobs.ts'
import type { Transcript } from '../../../ports/storage/media.ts'
import { type Transcriber, type Transcription, transcriptionRefused } from '../../../ports/transcriber.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { type FileService, fileNotFound } from '../files/index.ts'
import { mediaTooLong, transcriptionMinutesUsed } from './errors.ts'
import { transcriptStored } from './events.ts'
import { minutesOf } from './minutes.ts'
import { tidied } from './transcription.ts'

export interface TranscriptionDeps extends GuardedStorage<'files' | 'jobs' | 'media'> {
  readonly clock: Clock
  readonly may: May
  readonly files: FileService
  readonly profiles: Pick<ProfileService, 'publicUrl' | 'roleOf'>
  readonly planLimits: PlanTable
  readonly transcriber: Transcriber
  readonly onShort: (details: object) => void
}

export const TRANSCRIPTION = 'transcription'
const TIMEOUT_MS = 4 * 3_600_000
const ATTEMPTS = 2
/** How much longer than measured a recording may be, because not all headers are exact. */
const TOLERANCE = 1.05
const TOLERATED_SECONDS = 10

const inputSchema = z.object({
  file_id: z.int(),
  sha256: z.string(),
  language: z.string().nullable(),
  seconds: z.number(),
})

const contentReplaced = () =>
  fileNotFound({ message: 'The content of the file was replaced before its transcript was made' })

/** The result of a job: its transcript and the minutes it cost. */
export const resultOf = (transcript: Transcript, publicUrl: string, minutes: number): JsonObject => ({
  file_id: transcript.fileId,
  url: `${publicUrl}/media/${transcript.fileId}/transcript`,
  language: transcript.language,
  duration_seconds: transcript.durationSeconds,
  minutes,
})

/** The transcription job. It is repeated after a crash, and its minutes are charged once. */
export function transcriptionKind(deps: TranscriptionDeps): JobKind {
  const { read, write, clock, may, files, profiles, planLimits, transcriber, onShort } = deps

  async function listen(file: StoredFile, run: JobRun, language: string | null, seconds: number) {
    try {
      const recording = {
        open: async () => (await files.open(file)).body,
        size: file.size,
        contentType: file.contentType,
        durationSeconds: seconds,
        language: language ?? undefined,
      }
      return tidied(await transcriber.transcribe(recording, run), seconds)
    } catch (error) {
      // Other errors with a code are temporary, too, and are retried.
      if (isEepError(error) && error.code !== transcriptionRefused.code)
        throw new Error(error.message, { cause: error })
      throw error
    }
  }

  async function limitsFor(job: Job) {
    const profile = job.profileId === null ? undefined : await read.profiles.get(job.profileId)
    const owner = profile && (await read.accounts.get(profile.ownerAccountId))
    if (!owner) throw fileNotFound()
    return { owner, limits: planLimits(owner.tier).limits }
  }

  /** Stores the transcript and its minutes. For a recording with a false length, only the minutes. */
  async function keep(job: Job, file: StoredFile, askedLanguage: string | null, said: Transcription, seconds: number) {
    const { owner, limits } = await limitsFor(job)
    const minutes = minutesOf(said.durationSeconds)
    const most = limits.maxMediaDurationMinutesPerFile
    const isLonger = said.durationSeconds > seconds * TOLERANCE + TOLERATED_SECONDS
    // An accepted recording stays accepted if the plan changes.
    const isTooLong = isLonger && minutes > most
    const made = { ...said, fileId: file.id, sha256: file.sha256, askedLanguage, jobId: job.id }
    const transcript: Transcript = { ...made, createdAt: clock() }
    const { isKept, isStored, billed } = await write(async (tx, emit) => {
      await tx.accounts.lock(owner.id)
      const billed = await tx.media.settle(job.id, minutes, limits.transcriptionMinutesPerMonth)
      if (billed === undefined) throw new Error('Another run of this job has settled, or the job has ended')
      // Otherwise recordings with a false length would cost a minute each.
      const isKept = !isTooLong && !(isLonger && billed < minutes)
      const isStored = isKept && (await tx.media.saveTranscript(transcript))
      if (isStored) {
        const origin = { profileId: file.profileId, accountId: job.accountId }
        emit(transcriptStored, { fileId: file.id }, origin)
      }
      return { isKept, isStored, billed }
    })
    if (billed < minutes) onShort({ job: job.id, minutes, billed })
    if (isTooLong) throw mediaTooLong({ details: { max_minutes: most, minutes } })
    if (!isKept) throw transcriptionMinutesUsed({ details: { minutes, billed } })
    if (!isStored) throw contentReplaced()
    return resultOf(transcript, profiles.publicUrl, billed)
  }

  return {
    name: TRANSCRIPTION,
    timeoutMs: TIMEOUT_MS,
    isLong: true,
    attempts: ATTEMPTS,

    async run(run) {
      const { job, signal } = run
      const { file_id: fileId, sha256, language, seconds } = inputSchema.parse(job.input)
      const known = await read.media.getTranscript(fileId)
      // An earlier run has already reached this step.
      if (known?.jobId === job.id) return resultOf(known, profiles.publicUrl, minutesOf(known.durationSeconds))
      const found = await files.findStored(fileId)
      if (!found) throw fileNotFound()
      const { file } = found
      if (file.sha256 !== sha256) throw contentReplaced()
      // From here on the transcription costs the host money, even if the job is cancelled.
      if (!(await write((tx) => tx.media.begin(job.id)))) throw new Error('The job has ended')
      const said = await listen(file, run, language, seconds)
      signal.throwIfAborted()
      return keep(job, file, language, said, seconds)
    },

    async ended(job, tx) {
      await requireGroup(tx, 'media').media.release(job.id, {
        begun: job.status === 'cancelled' ? 'used' : 'given_back',
      })
    },

    // A request for a running transcription of the same team returns that job.
    async isShownTo(job, caller) {
      const profile = job.profileId === null ? undefined : await read.profiles.get(job.profileId)
      return profile !== undefined && may(await profiles.roleOf(profile, caller), 'files.edit')
    },
  }
}
