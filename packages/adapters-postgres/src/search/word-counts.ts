import { type Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'
import { deletionsOf } from './corrections.ts'
import { inPartition, type SearchTables, textList } from './statements.ts'

const ADDED_AT_ONCE = 1_000

/** One generation of a partition. */
export interface Part {
  readonly generation: number
  readonly partition: string
}

/** The changes in one generation of a partition, by word. */
interface CountedPart extends Part {
  readonly words: Map<string, number>
}

/** The changes of the number of documents per word, by generation, partition and word. */
export function createWordCounts() {
  const parts = new Map<string, CountedPart>()
  let size = 0
  function change({ generation, partition }: Part, work: (words: Map<string, number>) => void) {
    const name = `${generation}:${partition}`
    const known = parts.get(name) ?? { generation, partition, words: new Map<string, number>() }
    parts.set(name, known)
    size -= known.words.size
    work(known.words)
    size += known.words.size
  }
  return {
    add(part: Part, changed: ReadonlySet<string>, by: 1 | -1) {
      change(part, (words) => {
        for (const word of changed) words.set(word, (words.get(word) ?? 0) + by)
      })
    },
    parts: (): Iterable<CountedPart> => parts.values(),
    merge(other: { parts(): Iterable<CountedPart> }) {
      for (const part of other.parts()) {
        change(part, (words) => {
          for (const [word, by] of part.words) words.set(word, (words.get(word) ?? 0) + by)
        })
      }
    },
    /** How many words have changed. */
    size: () => size,
    /** Stores the changes. Most words are known already, so deletions are sent and indexed only for new ones. */
    async store(db: Kysely<Database>, { words }: SearchTables) {
      for (const { generation, partition, words: changes } of parts.values()) {
        const changed = [...changes].filter(([, by]) => by !== 0)
        if (changed.length === 0) continue
        // A join with the changes would compare each of them with each word while PostgreSQL has no statistics.
        const { rows: known } = await sql<{ readonly word: string }>`
          update ${words}
          set documents = documents + ((select ${JSON.stringify(Object.fromEntries(changed))}::text::jsonb) ->> word)::integer
          where generation = ${generation}::integer and ${inPartition(partition)}
            and word = any(${textList(changed.map(([word]) => word))})
          returning word`.execute(db)
        const present = new Set(known.map(({ word }) => word))
        const added = changed
          .filter(([word]) => !present.has(word))
          .map(([word, by]) => ({ word, by, deletions: deletionsOf(word) }))
        // In parts, because an embedded database blocks the process meanwhile.
        for (let start = 0; start < added.length; start += ADDED_AT_ONCE) {
          const part = JSON.stringify(added.slice(start, start + ADDED_AT_ONCE))
          await sql`
            insert into ${words} (generation, partition, word, documents, deletions)
            select ${generation}::integer, ${partition}::text, word, by, array(select json_array_elements_text(deletions))
            from json_to_recordset(${part}::text::json) as sent (word text, by integer, deletions json)`.execute(db)
        }
      }
    },
    /** Deletes the words of these changes that are in no document now. */
    async deleteLost(db: Kysely<Database>, { words }: SearchTables) {
      for (const { generation, partition, words: changes } of parts.values()) {
        const lost = [...changes].filter(([, by]) => by < 0).map(([word]) => word)
        if (lost.length === 0) continue
        await sql`
          delete from ${words}
          where generation = ${generation}::integer and ${inPartition(partition)} and word = any(${textList(lost)})
            and documents <= 0`.execute(db)
      }
    },
    clear() {
      parts.clear()
      size = 0
    },
  }
}

export type WordCounts = ReturnType<typeof createWordCounts>
