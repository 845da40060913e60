import { expect, it } from 'vitest'
import { configuredEmbedder } from './search.ts'

const URL = 'https://vectors.example/v1'

it('gives the vectors of a service a minimum similarity, so that a word that no page contains finds nothing', () => {
  expect(configuredEmbedder({ EMBEDDINGS_URL: URL })).toMatchObject({ minSimilarity: 0.25 })
})

it('takes the minimum similarity of a service from its variable', () => {
  const values = { EMBEDDINGS_URL: URL, EMBEDDINGS_MIN_SIMILARITY: 0.4 }
  expect(configuredEmbedder(values)).toMatchObject({ minSimilarity: 0.4 })
})
