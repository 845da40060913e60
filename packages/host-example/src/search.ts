import { openAiEmbeddings, wordEmbeddings } from '@eep/core/embeddings'
import type { Embedder } from '@eep/core/ports'
import type { Values } from './variables.ts'

const isNotInstalled = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND'

/** Texts that have nothing to do with a query are below it, with text-embedding-3-small. */
const MIN_SIMILARITY = 0.25

/** The configured embedding service, otherwise English word vectors if they are installed. */
export function configuredEmbedder(values: Values): Embedder | undefined {
  const { EMBEDDINGS_URL: url, EMBEDDINGS_API_KEY: apiKey } = values
  const { EMBEDDINGS_MODEL: model = 'text-embedding-3-small', EMBEDDINGS_DIMENSIONS: dimensions = 1_536 } = values
  const { EMBEDDINGS_MIN_SIMILARITY: minSimilarity = MIN_SIMILARITY } = values
  if (url !== undefined) return openAiEmbeddings({ url, apiKey, model, dimensions, minSimilarity })
  try {
    return wordEmbeddings()
  } catch (error) {
    if (isNotInstalled(error)) return undefined
    throw error
  }
}
