import { openAiEmbeddings } from '../../adapters/openai-embeddings.ts'
import { wordEmbeddings } from '../../adapters/word-embeddings.ts'
import { defineHostAdapter } from '../host-adapter.ts'
import { needs } from '../rule.ts'
import { baseUrl, matching, openVariable, secretVariable, wholeNumber, word } from '../variable.ts'
import { sendsKeyInClear } from './openai-services.ts'
import { CORE } from './service.ts'

/** Texts that have nothing to do with a query are below it, with text-embedding-3-small. */
const MIN_SIMILARITY = 0.25

const isNotInstalled = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND'

/** English word vectors if they are installed. */
function installedWordVectors() {
  try {
    return wordEmbeddings()
  } catch (error) {
    if (isNotInstalled(error)) return undefined
    throw error
  }
}

/** Search by meaning: by the configured service, otherwise with English word vectors if they are installed. */
export const searchVariables = defineHostAdapter({
  name: CORE,
  prefixes: [],
  variables: {
    EMBEDDINGS_URL: openVariable(
      baseUrl,
      'where an embedding service is that speaks the API of OpenAI, without /embeddings; leave it out for the vectors of English words',
      'https://api.openai.com/v1',
      { comment: 'Search by meaning, by a service with the API of OpenAI. Default: the vectors of English words.' },
    ),
    EMBEDDINGS_API_KEY: secretVariable(
      word,
      'the API key of the embedding service; leave it out if the service needs none',
    ),
    EMBEDDINGS_MODEL: openVariable(
      word,
      'the name of a model of the embedding service; text-embedding-3-small is the default',
      'text-embedding-3-small',
    ),
    EMBEDDINGS_DIMENSIONS: openVariable(
      wholeNumber('dimensions', 1, 4_096),
      'how many numbers a vector of EMBEDDINGS_MODEL has; 1536 is the default',
      '1536',
    ),
    EMBEDDINGS_MIN_SIMILARITY: openVariable(
      matching(/^(0|1|0?\.\d{1,3})$/, 'is not a number from 0 to 1').transform(Number),
      'the cosine similarity to the query below which a text is not found by its meaning; 0.25 is the default, which fits text-embedding-3-small',
      '0.25',
    ),
  },
  rules: [
    ...['API_KEY', 'MODEL', 'DIMENSIONS', 'MIN_SIMILARITY'].map((name) =>
      needs(`EMBEDDINGS_${name}`, 'EMBEDDINGS_URL'),
    ),
    sendsKeyInClear('EMBEDDINGS_URL', 'EMBEDDINGS_API_KEY'),
  ],
  parts: (values) => {
    const { EMBEDDINGS_URL: url, EMBEDDINGS_API_KEY: apiKey } = values
    const { EMBEDDINGS_MODEL: model = 'text-embedding-3-small', EMBEDDINGS_DIMENSIONS: dimensions = 1_536 } = values
    const { EMBEDDINGS_MIN_SIMILARITY: minSimilarity = MIN_SIMILARITY } = values
    return {
      embedder:
        url === undefined
          ? installedWordVectors()
          : openAiEmbeddings({ url, apiKey, model, dimensions, minSimilarity }),
    }
  },
})
