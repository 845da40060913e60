/**
 * The format of the rows of an index. Raise it with each change after which existing rows would match other queries than new ones: of words,
 * folding or weights here, or of the documents that core makes. The index is then rebuilt by the first process that has the new format.
 */
export const SEARCH_FORMAT = 1

/** The row of `search_state`. */
export interface SearchState {
  readonly live: number
  readonly building: number | null
  readonly position: string | null
  /** The embedder of the live generation; null without vectors. */
  readonly embedder: string | null
  readonly building_embedder: string | null
  /** The format of the generation `format_of`; null until the first position is stored. */
  readonly format: number | null
  readonly format_of: number | null
  /** The schema of the extension pgvector when passages have a column for their vectors; else null. */
  readonly vector_schema: string | null
}

export const generationsOf = ({ live, building }: SearchState): readonly number[] =>
  building === null ? [live] : [live, building]
