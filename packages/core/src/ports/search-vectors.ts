/** A part of a document that gets a vector. */
export interface SearchPassage {
  /** The text to embed: a part of the body, after the title. */
  readonly text: string
  /** Where the part begins in the body. */
  readonly start: number
}

/** The vector of a query, and how to search with it. */
export interface SearchMeaning {
  readonly embedderId: string
  /** Of length 1. */
  readonly vector: readonly number[]
  /** Passages with a lower cosine similarity do not match. */
  readonly minSimilarity: number
  /** Whether documents are also found by the words of the query, and both lists are merged. */
  readonly isHybrid: boolean
}

/** A text that waits for its vector. */
export interface PendingText {
  /** Equal for equal texts. */
  readonly id: string
  readonly text: string
  /** How often the embedder refused this text. */
  readonly attempts: number
}

/** The vector of a text. */
export interface TextVector {
  readonly id: string
  /** Of length 1; null for a text that the embedder knows nothing about. */
  readonly vector: readonly number[] | null
}

/**
 * The vectors of an index, stored by embedder and text: equal texts of all documents share one, so that only new texts are
 * embedded. A vector is deleted with the last document that has its text.
 */
export interface SearchVectors {
  /** Returns texts without a vector, which no other claim returns for some time. */
  claim(embedderId: string, limit: number, forSeconds: number): Promise<readonly PendingText[]>
  /** Stores vectors. Texts that are no longer in a document are skipped. */
  store(embedderId: string, vectors: readonly TextVector[]): Promise<void>
  /** Ends the claim of texts, which can be claimed again after some time; `isRefused` counts as an attempt. */
  release(embedderId: string, ids: readonly string[], afterSeconds: number, isRefused: boolean): Promise<void>
}
