import type { TranscriptSegment } from '../transcriber.ts'
import type { ErasedAccount } from './erasure.ts'

/** The transcript of a file. */
export interface Transcript {
  readonly fileId: number
  /** Of the transcribed bytes; hexadecimal. */
  readonly sha256: string
  /** The requested language, as BCP 47. */
  readonly askedLanguage: string | null
  /** The spoken language. */
  readonly language: string | null
  readonly durationSeconds: number
  readonly text: string
  readonly segments: readonly TranscriptSegment[]
  /** The job that made it, or copied it from another file with the same bytes. */
  readonly jobId: string
  readonly createdAt: Date
}

/** The minutes of an account in a month. */
export interface Minutes {
  readonly used: number
  /** Reserved by unfinished jobs. */
  readonly reserved: number
}

/** A reservation of minutes for a job. */
export interface MinuteReservation {
  readonly jobId: string
  readonly fileId: number
  /** The account whose minutes are used: the owner of the profile that has the file. */
  readonly accountId: string
  /** The month in UTC: `2026-01`. */
  readonly month: string
  readonly minutes: number
}

/**
 * `running`: another job is transcribing this file. `used_up`: the limit would be exceeded. `gone`: the file or account
 * does not exist.
 */
export type ReserveOutcome =
  | { readonly outcome: 'reserved' }
  | { readonly outcome: 'running'; readonly jobId: string }
  | ({ readonly outcome: 'used_up' } & Minutes)
  | { readonly outcome: 'gone' }

/** Transcripts and minutes, for reading. */
export interface MediaReader {
  /** Returns the transcript of a file; undefined when it has none. */
  getTranscript(fileId: number): Promise<Transcript | undefined>
  /** The newest transcript of the same bytes and requested language, of any file that belongs to a profile of this account. */
  findTranscript(accountId: string, sha256: string, askedLanguage: string | null): Promise<Transcript | undefined>
  /** The unfinished job for this file. */
  getRunningJob(fileId: number): Promise<string | undefined>
  /** Returns the used and reserved minutes of an account in a month, `2026-07`; both are 0 when there are none. */
  minutesOf(accountId: string, month: string): Promise<Minutes>
}

/**
 * Transcripts of files, and the minutes of accounts. A transcript is deleted with its file, a reservation with its job, and
 * both with their account. Used minutes remain used when a file is deleted.
 */
export interface MediaStore extends MediaReader {
  /**
   * Reserves minutes of an account, unless used and reserved minutes would exceed `limit`. Concurrent calls for one account
   * wait for each other. A file has at most one reservation.
   */
  reserve(reservation: MinuteReservation, limit: number): Promise<ReserveOutcome>
  /**
   * Ends a reservation and records the actual minutes of the job as used: at most the reservation plus what is left of
   * `limit`. Returns the recorded minutes. Exactly one of concurrent calls that settle or release a job wins; the others
   * get undefined.
   */
  settle(jobId: string, minutes: number, limit: number): Promise<number | undefined>
  /**
   * Marks a reservation as begun: from now on its minutes count as used when it is deleted with its job. Repeated calls
   * change nothing. False when it does not exist.
   */
  begin(jobId: string): Promise<boolean>
  /**
   * Ends a reservation without settling it. `begun` decides whether the minutes of a begun one are given back. False
   * when it does not exist.
   */
  release(jobId: string, options: { readonly begun: 'given_back' | 'used' }): Promise<boolean>
  /**
   * Stores the transcript of a file, replacing an earlier one. False when the file does not exist or has other content than was
   * transcribed; a concurrent replacement of the content either comes first or deletes the transcript.
   */
  saveTranscript(transcript: Transcript): Promise<boolean>
  /** Deletes the used and reserved minutes of an account. Transcripts are deleted with their file. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
