import type { Readable } from 'node:stream'
import { defineError } from '../kernel/errors.ts'

/** An audio or video recording to transcribe. */
export interface Recording {
  /** Opens a stream of its bytes. Called once for each time that they are sent. Read the stream to its end or destroy it. */
  open(): Promise<Readable>
  /** In bytes. */
  readonly size: number
  /** Detected from its first bytes: `audio/mpeg`. */
  readonly contentType: string
  /** The duration according to its headers, which may be wrong. */
  readonly durationSeconds: number
  /** The spoken language, as BCP 47, if the user specified it. */
  readonly language: string | undefined
}

/** A segment of a transcript with its time in the recording. */
export interface TranscriptSegment {
  readonly startSeconds: number
  readonly endSeconds: number
  readonly text: string
}

/** The text of the speech. */
export interface Transcription {
  readonly text: string
  /** As BCP 47; null when the transcriber does not report it. */
  readonly language: string | null
  /** In order of time; empty when the transcriber does not support times. */
  readonly segments: readonly TranscriptSegment[]
  /** The measured duration of the recording, which is charged. */
  readonly durationSeconds: number
}

/** Options of {@link Transcriber.transcribe}. */
export interface TranscribeOptions {
  /** Aborted when the text is no longer needed; `transcribe` then ends soon, by throwing. */
  readonly signal: AbortSignal
  /** Reports progress in percent. Calling it is optional. */
  progress(percent: number): Promise<void>
}

/** Transcribes speech. */
export interface Transcriber {
  /**
   * Transcribes a recording.
   *
   * @throws `transcription_refused`, with a message for the user, when another attempt cannot succeed;
   * any other error is retried
   */
  transcribe(recording: Recording, options: TranscribeOptions): Promise<Transcription>
  /** Releases the resources of the transcriber. Called once, after background work has ended. */
  close?(): Promise<void>
}

/** Creates the error for a recording that cannot be transcribed: 422 `transcription_refused`. */
export const transcriptionRefused = defineError('transcription_refused', 422, 'The recording cannot be transcribed')
