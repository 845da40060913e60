import { buffer } from 'node:stream/consumers'
import type { Clock } from '../../../kernel/clock.ts'
import { createKeyedSemaphore } from '../../../kernel/semaphore.ts'
import type { Caller } from '../../../model/caller.ts'
import type { May } from '../../../model/permission.ts'
import type { PlanTable } from '../../../model/plan.ts'
import type { StoredFile } from '../../../ports/storage/files.ts'
import type { Job } from '../../../ports/storage/jobs.ts'
import type { Minutes, Transcript } from '../../../ports/storage/media.ts'
import type { Transcriber } from '../../../ports/transcriber.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { ReadCache } from '../../../runtime/storage/read-cache.ts'
import type { JobService } from '../../jobs/index.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { type FileService, type FoundFile, fileNotFound } from '../files/index.ts'
import {
  mediaIngestDisabled,
  mediaTooLong,
  transcriptionMinutesUsed,
  transcriptNotFound,
  unsupportedMedia,
} from './errors.ts'
import { transcriptStored } from './events.ts'
import { isMedia } from './media-type.ts'
import { minutesOf, monthOf, nextMonth } from './minutes.ts'
import { resultOf, TRANSCRIPTION, transcriptionKind } from './transcription-job.ts'

export interface MediaDeps extends GuardedStorage<'files' | 'jobs' | 'media'> {
  readonly clock: Clock
  readonly cache: ReadCache
  readonly may: May
  readonly files: FileService
  readonly profiles: ProfileService
  readonly jobs: JobService
  readonly planLimits: PlanTable
  /** Undefined when transcription is off. */
  readonly transcriber: Transcriber | undefined
  /** Called when a recording took more minutes than its owner had left. */
  readonly onShort: (details: object) => void
}

export interface IngestRequest {
  readonly fileId: number
  readonly language?: string | undefined
}

/** The transcript of a recording, and what is known about its making. */
export interface TranscriptState {
  /** That of the content that the file has now. */
  readonly transcript: Transcript | undefined
  /** The job that makes it now, or the last one of the caller that failed. */
  readonly job: Job | undefined
  /** The minutes of the owner in this month, and how many a month and a recording may have. */
  readonly minutes: Minutes & { readonly limit: number; readonly longest: number }
}

/** How many of the last transcriptions of an account are searched for one that failed. */
const MAX_SEARCHED_JOBS = 20

/** Longer transcripts are read from the storage each time. */
const MAX_KEPT_CHARACTERS = 65_536

const NEVER = new AbortController().signal

/** The result of reserving minutes. `moved`: the profile was transferred meanwhile. */
type Begun = { readonly job: Job } | { readonly running: string } | 'moved'

/** Rolls back a transaction when a concurrent one committed first. */
const taken = Symbol('taken')

export function createMediaService(deps: MediaDeps) {
  const { read, write, clock, cache, files, profiles, jobs, planLimits, transcriber } = deps
  const measuring = createKeyedSemaphore()
  const isEnabled = transcriber !== undefined && files.isEnabled && jobs.isEnabled
  if (transcriber && isEnabled) jobs.define(transcriptionKind({ ...deps, transcriber }))

  const secondsOf = (file: StoredFile) =>
    files.toolkit.measureDuration(file.size, async (start, end) => {
      const { body } = await files.open(file, { start, end: end - 1 })
      return buffer(body)
    })

  /** A job without work, because the same bytes were already transcribed. */
  async function takeOver(known: Transcript, { file, profile }: FoundFile, caller: Caller): Promise<Job> {
    return write(async (tx, emit) => {
      await profiles.lockWithPermission(tx, profile.id, caller, 'files.edit')
      const origin = { profileId: profile.id, accountId: caller.account.id }
      const result = resultOf({ ...known, fileId: file.id }, profiles.publicUrl, 0)
      const request = { kind: TRANSCRIPTION, ...origin, input: { file_id: file.id } }
      const job = await jobs.addSucceeded(tx, emit, request, result)
      const transcript = { ...known, fileId: file.id, jobId: job.id, createdAt: clock() }
      if (!(await tx.media.saveTranscript(transcript))) throw fileNotFound()
      emit(transcriptStored, { fileId: file.id }, origin)
      return job
    })
  }

  async function begin(found: FoundFile, language: string | null, seconds: number, caller: Caller): Promise<Begun> {
    const { file, profile } = found
    const now = clock()
    const limit = (await limitsOf(profile.ownerAccountId)).transcriptionMinutesPerMonth
    let running: string | undefined
    try {
      return await write(async (tx) => {
        // Lock the account before the profile, as deletion does.
        await tx.accounts.lock(profile.ownerAccountId)
        const locked = await profiles.lockWithPermission(tx, profile.id, caller, 'files.edit')
        if (locked.ownerAccountId !== profile.ownerAccountId) return 'moved'
        const job = await jobs.add(tx, {
          kind: TRANSCRIPTION,
          accountId: caller.account.id,
          profileId: profile.id,
          input: { file_id: file.id, sha256: file.sha256, language, seconds },
        })
        const minutes = minutesOf(seconds)
        const wanted = {
          jobId: job.id,
          fileId: file.id,
          accountId: profile.ownerAccountId,
          month: monthOf(now),
          minutes,
        }
        const reserved = await tx.media.reserve(wanted, limit)
        if (reserved.outcome === 'gone') throw fileNotFound()
        if (reserved.outcome === 'used_up') {
          const { used, reserved: held } = reserved
          const details = { minutes, used, reserved: held, limit, resets_at: nextMonth(now).toISOString() }
          throw transcriptionMinutesUsed({ details })
        }
        if (reserved.outcome === 'running') {
          running = reserved.jobId
          throw taken
        }
        return { job }
      })
    } catch (error) {
      if (error === taken && running !== undefined) return { running }
      throw error
    }
  }

  async function limitsOf(accountId: string) {
    const owner = await read.accounts.get(accountId)
    if (!owner) throw fileNotFound()
    return planLimits(owner.tier).limits
  }

  /** The last transcription of a file by an account, if it failed and no transcript was made after it. */
  async function failedJob(file: StoredFile, transcript: Transcript | undefined, accountId: string) {
    const asked = { kind: TRANSCRIPTION, profileId: file.profileId }
    const last = (await jobs.lastOf(accountId, asked, MAX_SEARCHED_JOBS)).find(
      ({ input }) => input.file_id === file.id && input.sha256 === file.sha256,
    )
    const isLater = !transcript || (last && last.createdAt > transcript.createdAt)
    return last?.status === 'failed' && isLater ? last : undefined
  }

  /** The existing transcript of these bytes, or the job that makes it. */
  async function knownJob(found: FoundFile, language: string | null, caller: Caller): Promise<Job | undefined> {
    const { file, profile } = found
    const own = await read.media.getTranscript(file.id)
    if (own?.sha256 === file.sha256 && own.askedLanguage === language) {
      const job = await jobs.getOfKind(TRANSCRIPTION, own.jobId)
      return job?.accountId === caller.account.id && job.status === 'succeeded' ? job : takeOver(own, found, caller)
    }
    const running = await read.media.getRunningJob(file.id)
    if (running !== undefined) return jobs.getOfKind(TRANSCRIPTION, running)
    const elsewhere = await read.media.findTranscript(profile.ownerAccountId, file.sha256, language)
    return elsewhere && takeOver(elsewhere, found, caller)
  }

  async function ingest({ fileId, language: told }: IngestRequest, caller: Caller): Promise<Job> {
    if (!isEnabled) throw mediaIngestDisabled()
    const found = await files.find(fileId, caller)
    const { file, profile } = found
    await profiles.requirePermission(profile, caller, 'files.edit')
    if (!isMedia(file.contentType)) throw unsupportedMedia({ details: { content_type: file.contentType } })
    const language = told === undefined ? null : (Intl.getCanonicalLocales(told)[0] ?? null)

    const known = await knownJob(found, language, caller)
    if (known) return known
    await jobs.assertRoom(caller.account.id)
    const seconds = await measuring.run(caller.account.id, NEVER, () => secondsOf(file))
    if (seconds === undefined) throw unsupportedMedia({ details: { content_type: file.contentType } })
    const { maxMediaDurationMinutesPerFile: most } = await limitsOf(profile.ownerAccountId)
    const minutes = minutesOf(seconds)
    if (minutes > most) throw mediaTooLong({ details: { max_minutes: most, minutes } })

    const begun = await begin(found, language, seconds, caller)
    if (begun !== 'moved' && 'job' in begun) return begun.job
    const running = begun === 'moved' ? undefined : await jobs.getOfKind(TRANSCRIPTION, begun.running)
    return running ?? ingest({ fileId, language: told }, caller)
  }

  return {
    isEnabled,

    ingest,

    /**
     * Returns an audio or video file whose profile the caller may see.
     *
     * @throws `file_not_found`
     */
    async find(fileId: number, caller: Caller | undefined, key?: string | undefined): Promise<FoundFile> {
      const found = await files.find(fileId, caller, key)
      if (!isMedia(found.file.contentType)) throw fileNotFound()
      return found
    },

    /**
     * The transcript of a file; access is checked by the caller.
     *
     * @throws `media_ingest_disabled`, `transcript_not_found`
     */
    async transcriptOf({ file, profile }: FoundFile): Promise<Transcript> {
      if (!isEnabled) throw mediaIngestDisabled()
      const transcript = await cache.get(`transcript:${file.id}:${file.sha256}`, async () => {
        const stored = await read.media.getTranscript(file.id)
        // A transcription may have ended after the content of the file was replaced.
        const value = stored?.sha256 === file.sha256 ? stored : undefined
        const isKept = value !== undefined && value.text.length <= MAX_KEPT_CHARACTERS
        return { value, profileId: isKept ? profile.id : undefined }
      })
      if (!transcript) throw transcriptNotFound()
      return transcript
    },

    /** Returns the transcript of a recording and the state of its job, for the team of its profile; access is checked by the caller. */
    async stateOf({ file, profile }: FoundFile, { account }: Caller): Promise<TranscriptState> {
      const { ownerAccountId } = profile
      const [stored, running, minutes, limits] = await Promise.all([
        read.media.getTranscript(file.id),
        read.media.getRunningJob(file.id),
        read.media.minutesOf(ownerAccountId, monthOf(clock())),
        limitsOf(ownerAccountId),
      ])
      const transcript = stored?.sha256 === file.sha256 ? stored : undefined
      return {
        transcript,
        job:
          running === undefined
            ? await failedJob(file, transcript, account.id)
            : await jobs.getOfKind(TRANSCRIPTION, running),
        minutes: {
          ...minutes,
          limit: limits.transcriptionMinutesPerMonth,
          longest: limits.maxMediaDurationMinutesPerFile,
        },
      }
    },

    minutesUsed: (accountId: string): Promise<Minutes> => read.media.minutesOf(accountId, monthOf(clock())),
  }
}

/** Transcripts of audio and video, and their minutes. */
export type MediaService = ReturnType<typeof createMediaService>
