// Draws cards outside of the event loop, because images of profiles may be large.
import { parentPort } from 'node:worker_threads'
import type { CardTexts } from '../../ports/card-renderer.ts'
import { drawCard } from './draw-card.ts'

export interface CardJob {
  readonly texts: CardTexts
  /** An image in a format of sharp. */
  readonly portrait: Uint8Array | undefined
}

parentPort?.on('message', ({ texts, portrait }: CardJob) => {
  drawCard(texts, portrait).then(
    (png) => parentPort?.postMessage(new Uint8Array(png)),
    () => parentPort?.postMessage(undefined),
  )
})
