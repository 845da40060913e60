import { port } from '../../../framework/options/fields.ts'
import type { Transcriber } from '../../../ports/transcriber.ts'

/** The options of the feature. */
export const mediaOptions = {
  /** Transcribes recordings: `httpTranscriber()`. Without one, transcription is off. */
  transcriber: port<Transcriber>('transcribe').optional(),
}
