import type { SearchIndex } from '@eep/core/ports'

/** Reports how long each query takes, in milliseconds. */
export const timedSearch = (index: SearchIndex, report: (ms: number) => void): SearchIndex => ({
  ...index,
  async query(request) {
    const started = performance.now()
    try {
      return await index.query(request)
    } finally {
      report(performance.now() - started)
    }
  },
})
