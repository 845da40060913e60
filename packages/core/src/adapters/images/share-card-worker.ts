// Draws cards outside of the event loop, because images of profiles may be large.
import { answerJobs } from '../../kernel/answer-jobs.ts'
import type { CardTexts } from '../../ports/card-renderer.ts'
import { drawCard } from './draw-card.ts'

export interface CardJob {
  readonly texts: CardTexts
  /** An image in a format of sharp. */
  readonly portrait: Uint8Array | undefined
}

answerJobs(async ({ texts, portrait }: CardJob) => new Uint8Array(await drawCard(texts, portrait)))
