import type { Readable } from 'node:stream'
import { defineError } from '../kernel/errors.ts'

/** Sound, or film with sound, that is to become text. */
export interface Recording {
  /** Its bytes from the first one; called once per attempt. The caller reads the stream to its end or destroys it. */
  open(): Promise<Readable>
  /** In bytes. */
  readonly size: number
  /** By its first bytes: `audio/mpeg`. */
  readonly contentType: string
  /** As its headers say; they may be wrong. */
  readonly durationSeconds: number
  /** The spoken language, as BCP 47, if the user specified it. */
  readonly language: string | undefined
}

/** A part of a transcript with its time in the recording. */
export interface TranscriptSegment {
  readonly startSeconds: number
  readonly endSeconds: number
  readonly text: string
}

/** The text of the speech. */
export interface Transcription {
  readonly text: string
  /** As BCP 47; null when the transcriber does not say. */
  readonly language: string | null
  /** In order of time; empty when the transcriber does not support times. */
  readonly segments: readonly TranscriptSegment[]
  /** How long the recording really was: that is what it costs. */
  readonly durationSeconds: number
}

/** Options of {@link Transcriber.transcribe}. */
export interface TranscribeOptions {
  /** Aborted when the text is no longer needed; `transcribe` then ends soon, by throwing. */
  readonly signal: AbortSignal
  /** Says how far it is, in percent. Optional to call. */
  progress(percent: number): Promise<void>
}

/** Makes text of sound. */
export interface Transcriber {
  /**
   * Transcribes a recording.
   *
   * @throws `transcription_refused`, with a message for the user, when another attempt cannot succeed;
   * any other error is retried
   */
  transcribe(recording: Recording, options: TranscribeOptions): Promise<Transcription>
  close?(): Promise<void>
}

/** Creates the error of a recording that a transcriber will never accept: 422 `transcription_refused`. */
export const transcriptionRefused = defineError(
  'transcription_refused',
  422,
  'The recording cannot be transcribed as it is',
)
