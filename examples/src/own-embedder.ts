import type { Embedder } from '@eep/core/ports'

/** Embeds by a service that takes `POST /embed` with `{ "texts": […], "kind": "query" }` and returns `{ "vectors": […] }`. */
export const ownEmbedder = (url: string): Embedder => ({
  id: 'my-model:2',
  dimensions: 384,
  minSimilarity: 0.3,
  batchSize: 16,
  async embed(texts, purpose, signal) {
    const response = await fetch(`${url}/embed`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ texts, kind: purpose === 'query' ? 'query' : 'passage' }),
      signal,
    })
    if (!response.ok) throw new Error(`The embedding service responded with ${response.status}`)
    const { vectors } = (await response.json()) as { readonly vectors: readonly (readonly number[])[] }
    return vectors
  },
})
