/** Whether a text is searched in (`document`) or searched for (`query`). Many models treat them differently. */
export type EmbeddingPurpose = 'document' | 'query'

/**
 * Turns texts into vectors, so that texts with a similar meaning have a small angle between them.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/adapters/embedder.md
 */
export interface Embedder {
  /**
   * Names the model and everything that changes its vectors. Vectors are stored under it, and the index is rebuilt when it
   * changes. At most 200 characters.
   */
  readonly id: string
  /** The length of each vector: 1 to 4,096. */
  readonly dimensions: number
  /** Texts whose cosine similarity to the query is lower are not found. Default: 0. */
  readonly minSimilarity?: number | undefined
  /** The maximum number of texts per call. Default: 32. */
  readonly batchSize?: number | undefined
  /**
   * Returns a vector for each text, in order. Vectors need not have the length 1. A vector of zeros means that the
   * model knows nothing about the text, which is then found by its words only.
   *
   * @param texts - at least one, up to about 4,000 characters each
   * @param signal - aborted when the vectors are no longer needed
   */
  embed(
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    signal: AbortSignal,
  ): Promise<readonly (readonly number[])[]>
  /**
   * Loads what `embed` needs, such as a model. Called when a search needs the embedder first, not when the service starts. Meanwhile
   * hybrid searches use words only, and semantic ones wait for at most 1.5 seconds. Default: `embed` is called.
   */
  load?(): Promise<unknown>
  /** Throws when the embedder cannot be used; `/health/ready` then returns `degraded`. Default: it is not checked. */
  ping?(): Promise<unknown>
}
