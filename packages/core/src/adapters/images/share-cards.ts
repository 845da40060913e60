import { assertInstalled } from '../../kernel/assert-installed.ts'
import { createWorkerQueue } from '../../kernel/worker-queue.ts'
import type { CardRenderer } from '../../ports/card-renderer.ts'
import type { CardJob } from './share-card-worker.ts'

const MAX_PENDING = 20
const MAX_CACHED_BYTES = 8_388_608

const FILE = new URL(
  import.meta.url.endsWith('.ts') ? './share-card-worker.ts' : './share-card-worker.js',
  import.meta.url,
)

/**
 * Draws the pictures that other sites show beside links to profiles, in a worker thread, and caches up to 8 MB of them. At most twenty
 * are pending, four of them for one owner.
 *
 * @throws MissingPackagesError when `sharp` or `dejavu-fonts-ttf` is not installed
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/pages.md
 * @example
 * pages: { shareCards: shareCards() }
 */
export function shareCards(): CardRenderer {
  // The worker loads the libraries. Fails at startup, not with the first card, when one is missing.
  assertInstalled('sharp', 'dejavu-fonts-ttf')

  const run = createWorkerQueue<CardJob>({
    file: FILE,
    maxMemoryMb: 128,
    timeoutMs: 10_000,
    maxPending: MAX_PENDING,
    maxPendingPerOwner: 4,
    maxWaitMs: 5_000,
    maxCachedBytes: 0,
  })
  const pending = new Map<string, Promise<Uint8Array | undefined>>()
  // Cards are evicted in the order in which they were drawn.
  const cards = new Map<string, Uint8Array>()
  let cachedBytes = 0

  function keep(version: string, card: Uint8Array): void {
    cards.set(version, card)
    cachedBytes += card.byteLength
    for (const [oldest, { byteLength }] of cards) {
      if (cachedBytes <= MAX_CACHED_BYTES) return
      cards.delete(oldest)
      cachedBytes -= byteLength
    }
  }

  /** Draws a card that is not cached. Only then is its portrait read. */
  async function draw(...[texts, { version, owner, portrait }]: Parameters<CardRenderer['render']>) {
    const card = await run({ key: version, owner, job: { texts, portrait: await portrait() } })
    if (card) keep(version, card)
    return card
  }

  return {
    async render(texts, card) {
      const known = cards.get(card.version) ?? pending.get(card.version)
      if (known) return known
      if (pending.size >= MAX_PENDING) return undefined
      const drawn = draw(texts, card).finally(() => pending.delete(card.version))
      pending.set(card.version, drawn)
      return drawn
    },
  }
}
