/** The row of `search_state`. */
export interface SearchState {
  readonly live: number
  readonly building: number | null
  readonly position: string | null
  /** The embedder of the live generation; null without vectors. */
  readonly embedder: string | null
  readonly building_embedder: string | null
  /** The schema of the extension pgvector when passages have a column for their vectors; else null. */
  readonly vector_schema: string | null
}

export const generationsOf = ({ live, building }: SearchState): readonly number[] =>
  building === null ? [live] : [live, building]
