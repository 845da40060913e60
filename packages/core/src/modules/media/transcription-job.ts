import { z } from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import { isEepError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { type Transcriber, type Transcription, transcriptionRefused } from '../../ports/transcriber.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import type { TierTable } from '../accounts/index.ts'
import { type FileService, fileNotFound, type StoredFile } from '../files/index.ts'
import type { Job, JobKind, JobRun } from '../jobs/index.ts'
import { mediaTooLong } from './errors.ts'
import { minutesOf } from './minutes.ts'
import type { Transcript } from './store.ts'
import { tidied } from './transcription.ts'

export interface TranscriptionDeps extends GuardedStorage {
  readonly clock: Clock
  readonly files: FileService
  readonly profiles: { readonly publicUrl: string }
  readonly tierFacts: TierTable
  readonly transcriber: Transcriber
  readonly onShort: (details: object) => void
}

export const TRANSCRIPTION = 'transcription'
const TIMEOUT_MS = 4 * 3_600_000
const ATTEMPTS = 2

const inputSchema = z.object({ file_id: z.int(), language: z.string().nullable(), seconds: z.number() })

/** What a job tells of its transcript, and how many minutes it cost. */
export const resultOf = (transcript: Transcript, publicUrl: string, minutes: number): JsonObject => ({
  file_id: transcript.fileId,
  url: `${publicUrl}/media/${transcript.fileId}/transcript`,
  language: transcript.language,
  duration_seconds: transcript.durationSeconds,
  minutes,
})

/** Transcribing as work in the background: done again after a crash, and paid for once. */
export function transcriptionKind(deps: TranscriptionDeps): JobKind {
  const { read, write, clock, files, profiles, tierFacts, transcriber, onShort } = deps

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
      // What else has a code is trouble too, and trouble is tried again.
      if (isEepError(error) && error.code !== transcriptionRefused.code)
        throw new Error(error.message, { cause: error })
      throw error
    }
  }

  async function limitsFor(job: Job) {
    const profile = job.profileId === null ? undefined : await read.profiles.get(job.profileId)
    const owner = profile && (await read.accounts.get(profile.ownerAccountId))
    if (!owner) throw fileNotFound()
    return { owner, limits: tierFacts(owner.tier).limits }
  }

  /** Stores the transcript and what it cost, both or nothing. */
  async function keep(job: Job, file: StoredFile, askedLanguage: string | null, said: Transcription) {
    const { owner, limits } = await limitsFor(job)
    const minutes = minutesOf(said.durationSeconds)
    const most = limits.maxMediaDurationMinutesPerFile
    const isTooLong = minutes > most
    const made = { ...said, fileId: file.id, sha256: file.sha256, askedLanguage, jobId: job.id }
    const transcript: Transcript = { ...made, createdAt: clock() }
    const { isStored, billed } = await write(async (tx, emit) => {
      await tx.accounts.lock(owner.id)
      const isStored = !isTooLong && (await tx.media.saveTranscript(transcript))
      const billed = await tx.media.settle(job.id, minutes, limits.transcriptionMinutesPerMonth)
      if (billed === undefined) throw new Error('Another run of this job has settled, or the job has ended')
      if (isStored) {
        const origin = { profileId: file.profileId, accountId: job.accountId }
        emit('media.transcript_stored', { fileId: file.id }, origin)
      }
      return { isStored, billed }
    })
    if (billed < minutes) onShort({ job: job.id, minutes, billed })
    if (isTooLong) throw mediaTooLong({ details: { max_minutes: most, minutes } })
    if (!isStored) throw fileNotFound()
    return resultOf(transcript, profiles.publicUrl, billed)
  }

  return {
    name: TRANSCRIPTION,
    timeoutMs: TIMEOUT_MS,
    attempts: ATTEMPTS,

    async run(run) {
      const { job, signal } = run
      const { file_id: fileId, language, seconds } = inputSchema.parse(job.input)
      const known = await read.media.getTranscript(fileId)
      // A run before this one came as far as that.
      if (known?.jobId === job.id) return resultOf(known, profiles.publicUrl, minutesOf(known.durationSeconds))
      const file = await read.files.get(fileId)
      if (!file) throw fileNotFound()
      const said = await listen(file, run, language, seconds)
      signal.throwIfAborted()
      return keep(job, file, language, said)
    },

    async ended(job, tx) {
      await tx.media.release(job.id)
    },
  }
}
