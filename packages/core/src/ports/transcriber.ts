import type { Readable } from 'node:stream'
import { defineError } from '../kernel/errors.ts'

/** Sound, or film with sound, that is to become text. */
export interface Recording {
  /** Its bytes from the first one; called once or, by who tries again, several times. Who opens it reads it or destroys it. */
  open(): Promise<Readable>
  /** In bytes. */
  readonly size: number
  /** By its first bytes: `audio/mpeg`. */
  readonly contentType: string
  /** As its headers say; they may be wrong. */
  readonly durationSeconds: number
  /** What is spoken, as BCP 47, where somebody said so. */
  readonly language: string | undefined
}

export interface TranscriptSegment {
  readonly startSeconds: number
  readonly endSeconds: number
  readonly text: string
}

/** What was said. */
export interface Transcription {
  readonly text: string
  /** As BCP 47; null when the transcriber does not say. */
  readonly language: string | null
  /** In the order of time; none when the transcriber does not tell when something was said. */
  readonly segments: readonly TranscriptSegment[]
  /** How long the recording really was: that is what it costs. */
  readonly durationSeconds: number
}

export interface TranscribeOptions {
  /** Aborted when nobody wants the text any more; `transcribe` then ends soon, by throwing. */
  readonly signal: AbortSignal
  /** Says how far it is, in percent. Optional to call. */
  progress(percent: number): Promise<void>
}

/** Makes text of sound. */
export interface Transcriber {
  /**
   * What is said in a recording.
   *
   * @throws `transcription_refused`, with a message for whoever sent the recording, when it will not do better the next
   * time; anything else is trouble, and the recording may be tried again
   */
  transcribe(recording: Recording, options: TranscribeOptions): Promise<Transcription>
  close?(): Promise<void>
}

export const transcriptionRefused = defineError(
  'transcription_refused',
  422,
  'The recording cannot be transcribed as it is',
)
