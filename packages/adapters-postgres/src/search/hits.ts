import type { SearchHit, SearchKind } from '@eep/core/ports'
import { marksOf } from './queried-words.ts'
import { createMarker } from './snippet.ts'
import type { FoundRow, QueriedWords } from './statements.ts'

/** The columns of a document that its hit contains. */
export type ContentRow = Omit<FoundRow, 'rank' | 'newest_id' | 'matches'>

/** The place of a document in a list of hits. */
export interface Listed extends Pick<SearchHit, 'score' | 'matched'> {
  /** Writes the cursor that continues after the hit. */
  readonly writeCursor: () => string
}

/** Makes hits of the rows of a query. Texts are marked and cursors are written only for hits whose properties are read. */
export function hitsOf<Row extends ContentRow>(
  rows: readonly Row[],
  words: QueriedWords,
  listedOf: (row: Row, index: number) => Listed,
): readonly SearchHit[] {
  const mark = createMarker(marksOf(words, rows[0]?.query ?? null))
  return rows.map((row, index) => {
    const { score, matched, writeCursor } = listedOf(row, index)
    const isMeant = matched.includes('semantic') && matched.length === 1
    const marked = mark(row.title, isMeant ? [row.body, row.excerpt] : [row.excerpt, row.body])
    return {
      key: row.key,
      kind: row.kind as SearchKind,
      profileId: Number(row.profile_id),
      visibility: row.visibility as SearchHit['visibility'],
      revision: row.revision,
      keywords: row.keywords,
      score,
      matched,
      get title() {
        return marked.title
      },
      get snippet() {
        return marked.snippet
      },
      get cursor() {
        return writeCursor()
      },
    }
  })
}
