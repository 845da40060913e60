import { z } from 'zod'
import { port } from '../../../framework/options/fields.ts'
import type { Summarizer } from '../../../ports/summarizer.ts'

const key = z.string().min(32, 'Needs at least 32 characters')

/** The options of the feature. */
export const memoryOptions = {
  /**
   * A secret of at least 32 characters that entries and names of sessions are encrypted with (AES-256-GCM), or a list of secrets: the
   * first one encrypts and all of them decrypt. Entries are then not put into the search index, and are searched by words only.
   * @default none: they are stored in plain text
   */
  encryptionKey: z.union([key, z.array(key).min(1).readonly()]).optional(),
  /** Summarizes sessions. Without one, summaries return 503 `summary_disabled`. */
  summarizer: port<Summarizer>('summarize').optional(),
}
