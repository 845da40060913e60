import type { TranscriptSegment } from '../transcriber.ts'
import type { ErasedAccount } from './erasure.ts'

/** The transcript of a file. */
export interface Transcript {
  readonly fileId: number
  /** Of the bytes it was made of; hexadecimal. */
  readonly sha256: string
  /** The requested language, as BCP 47. */
  readonly askedLanguage: string | null
  /** The spoken language. */
  readonly language: string | null
  readonly durationSeconds: number
  readonly text: string
  readonly segments: readonly TranscriptSegment[]
  /** Which job made it, or took it over from the same bytes elsewhere. */
  readonly jobId: string
  readonly createdAt: Date
}

/** Minutes of an account in a month. */
export interface Minutes {
  readonly used: number
  /** By jobs that have not ended. */
  readonly reserved: number
}

/** Minutes that a job may need. */
export interface MinuteReservation {
  readonly jobId: string
  readonly fileId: number
  /** Whose minutes they are: the owner of the profile that has the file. */
  readonly accountId: string
  /** In UTC: `2026-01`. */
  readonly month: string
  readonly minutes: number
}

/** `running`: another job is about this file. `used_up`: they would be more than the limit. `gone`: the file or account is. */
export type ReserveOutcome =
  | { readonly outcome: 'reserved' }
  | { readonly outcome: 'running'; readonly jobId: string }
  | ({ readonly outcome: 'used_up' } & Minutes)
  | { readonly outcome: 'gone' }

/** Transcripts and what they cost, for reading. */
export interface MediaReader {
  getTranscript(fileId: number): Promise<Transcript | undefined>
  /** The newest one of the same bytes, asked for in the same language, of a file that a profile of this account has. */
  findTranscript(accountId: string, sha256: string, askedLanguage: string | null): Promise<Transcript | undefined>
  /** The job that is about this file and has not ended. */
  getRunningJob(fileId: number): Promise<string | undefined>
  minutesOf(accountId: string, month: string): Promise<Minutes>
}

/**
 * Transcripts of files, and the minutes of accounts. A transcript goes with its file, a reservation with its job, and both
 * with their account; minutes that are used stay used when a file goes.
 */
export interface MediaStore extends MediaReader {
  /**
   * Reserves minutes of an account, unless used and reserved minutes would exceed `limit`. Concurrent calls for one
   * account wait for each other. A file has one reservation at most.
   */
  reserve(reservation: MinuteReservation, limit: number): Promise<ReserveOutcome>
  /**
   * Ends a reservation and makes used what the job really took: all of it where it fits into the reservation, and
   * beyond that no more than is left of `limit`. Answers how many minutes; of several that settle or release a job one
   * wins, the others get undefined.
   */
  settle(jobId: string, minutes: number, limit: number): Promise<number | undefined>
  /**
   * Says that what a reservation is for has begun: from now on its minutes stay used when it goes with its job. False when
   * there is none any more; begun again, it stays begun.
   */
  begin(jobId: string): Promise<boolean>
  /** Ends a reservation that is not settled; what becomes of one that was begun, the caller says. False when there is none. */
  release(jobId: string, of: { readonly begun: 'given_back' | 'used' }): Promise<boolean>
  /** Stores the transcript of a file in place of an earlier one. False when the file is gone. */
  saveTranscript(transcript: Transcript): Promise<boolean>
  /** Deletes the minutes of an account, used and reserved. Transcripts go with their file. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
