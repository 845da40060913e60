import type { SearchIndex } from '@eep/core/ports'

/** Reports how long each query takes, in milliseconds. */
export const timedSearch = (index: SearchIndex, report: (ms: number) => void): SearchIndex => ({
  async query(request) {
    const started = performance.now()
    try {
      return await index.query(request)
    } finally {
      report(performance.now() - started)
    }
  },
  // Not `...index`: that would leave out the methods of a class.
  put: (documents) => index.put(documents),
  remove: (which) => index.remove(which),
  mark: (position) => index.mark(position),
  position: () => index.position(),
  suggest: (text, limit) => index.suggest(text, limit),
  rebuild: (embedderId) => index.rebuild(embedderId),
  vectors: index.vectors,
  stats: () => index.stats(),
  ping: () => index.ping(),
})
