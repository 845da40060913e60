import type { SearchIndex } from '../ports/search-index.ts'
import { contractRunner, type TestRunner } from './runner.ts'
import { searchChangeCases } from './search-index/changes.ts'
import { searchMeaningCases } from './search-index/meanings.ts'
import { searchPartitionCases } from './search-index/partitions.ts'
import { searchQueryCases } from './search-index/queries.ts'
import { searchWordCases } from './search-index/words.ts'

/** Options of {@link searchIndexContract}. */
export interface SearchIndexContractOptions {
  /**
   * Languages whose inflected forms the index matches, as codes of ISO 639-1. Only these are tested.
   * @default ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ru', 'ar']
   */
  readonly languages?: readonly string[] | undefined
  /** Runs only these groups of cases. Default: all. */
  readonly only?: readonly SearchIndexCases[] | undefined
}

const CASES = {
  words: searchWordCases,
  queries: searchQueryCases,
  changes: searchChangeCases,
  partitions: searchPartitionCases,
  meanings: searchMeaningCases,
} as const

/** A group of cases of {@link searchIndexContract}. */
export type SearchIndexCases = keyof typeof CASES

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ru', 'ar']

/**
 * Runs the contract of a {@link SearchIndex} as test cases: which documents match, which are returned, and that removed
 * documents leave nothing. Cases about meaning run for an index with `vectors`.
 *
 * @param create - creates an empty index; called once
 * @see https://github.com/eep-service/eep/blob/main/docs/adapters/search-index.md
 * @example
 * import * as vitest from 'vitest'
 *
 * searchIndexContract(vitest, () => ownSearch())
 */
export function searchIndexContract(
  runner: TestRunner,
  create: () => Promise<SearchIndex> | SearchIndex,
  { languages = LANGUAGES, only }: SearchIndexContractOptions = {},
): void {
  const { describe, it, beforeAll, afterAll } = contractRunner(runner)
  describe('search index', () => {
    let index: SearchIndex
    beforeAll(async () => {
      index = await create()
    })
    afterAll(async () => {
      await index.close?.()
    })
    for (const [name, declare] of Object.entries(CASES)) {
      if (only && !only.some((each) => each === name)) continue
      declare(it, () => index, languages)
    }
  })
}
