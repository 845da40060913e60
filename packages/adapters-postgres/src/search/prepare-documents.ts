import { setImmediate } from 'node:timers/promises'
import { foldWord, PUBLIC_PARTITION, type SearchDocument } from '@eep/core/ports'
import { isCorrectable } from './corrections.ts'
import type { ConfigurationOf } from './languages.ts'
import { storable } from './storable.ts'
import { createFolder, type IndexedText, readText } from './tokens.ts'

/** The number of documents to prepare in one turn of the event loop, which takes a few milliseconds. */
export const PREPARED_AT_ONCE = 5
const MAX_BODY = 200_000
/** An author decides how many different words a text has, and each of them takes time. Long books have about as many. */
const MAX_DIFFERENT = 10_000
const MAX_CORRECTABLE = 2_000
/** A text search vector has at most a megabyte, and a word may be in it twice. */
const MAX_BODY_BYTES = 250_000
const MAX_OTHER_BYTES = 20_000
/** Accented words are in the vector a third time. */
const MAX_ACCENTED_BYTES = 100_000

/** Words with joiners are in the vector both as parts and joined. */
const MAX_JOINED_BYTES = 100_000

/** As many words as fit. */
function within(words: string, bytes: number): string {
  if (words.length * 3 <= bytes) return words
  const whole = Buffer.from(words)
  if (whole.length <= bytes) return words
  const end = whole.lastIndexOf(0x20, bytes)
  return whole.subarray(0, Math.max(0, end)).toString()
}

/** The words up to the last that is among the first different ones. */
function ofDifferent(words: string, most: number): string {
  const known = new Set<string>()
  for (const { 0: word, index } of words.matchAll(/\S+/gu)) {
    known.add(word)
    if (known.size > most) return words.slice(0, index).trimEnd()
  }
  return words
}

/** The texts of a document as they are stored. */
export type Texts = Pick<SearchDocument, 'title' | 'excerpt' | 'body'> & {
  readonly headings: string
  readonly keywords: readonly string[]
}

export const partitionOf = ({ partition }: SearchDocument) => storable(partition ?? PUBLIC_PARTITION)

const textsOf = ({ title, headings, keywords, excerpt, body }: SearchDocument): Texts => ({
  title: storable(title),
  headings: storable(headings.join('\n')),
  keywords: keywords.map(storable),
  excerpt: storable(excerpt),
  body: storable(body.slice(0, MAX_BODY)),
})

/** The texts of a document as they are indexed, by weight. */
const indexedTexts = ({ title, headings, keywords, excerpt, body }: Texts, folded: (word: string) => string) => ({
  a: readText(title, folded),
  b: readText([headings, ...keywords].join(' '), folded),
  c: readText(excerpt, folded),
  d: readText(body, folded),
})

/** The different words of a document that corrections may name: its first ones. */
function correctableWords(texts: Readonly<Record<string, IndexedText>>): ReadonlySet<string> {
  const words = new Set<string>()
  for (const { spaced } of Object.values(texts)) {
    for (const word of spaced) {
      if (words.size === MAX_CORRECTABLE) return words
      if (isCorrectable(word)) words.add(word)
    }
  }
  return words
}

/** The words of stored texts that corrections may name. */
export const correctableWordsOf = (texts: Texts): ReadonlySet<string> => correctableWords(indexedTexts(texts, foldWord))

/** A document with its indexed texts and words. */
export interface PreparedDocument {
  readonly document: SearchDocument
  readonly row: Readonly<Record<string, unknown>> & { readonly partition: string; readonly language: string }
  /** The words that corrections may name. */
  readonly words: ReadonlySet<string>
}

function prepare(
  document: SearchDocument,
  configurationOf: ConfigurationOf,
  folded: (word: string) => string,
): PreparedDocument {
  const texts = textsOf(document)
  const sample = [texts.title, texts.excerpt, texts.body.slice(0, 1_000)].filter(Boolean).join('\n')
  const indexed = indexedTexts(texts, folded)
  const { a, b, c, d } = indexed
  const row = {
    partition: partitionOf(document),
    key: storable(document.key),
    kind: document.kind,
    profile_id: document.profileId,
    profile_type: document.profileType,
    visibility: document.visibility,
    revision: storable(document.revision),
    trust: Math.min(1, Math.max(0, document.trust ?? 0)),
    language: configurationOf(sample, document.language),
    ...texts,
    updated_at: document.updatedAt.toISOString(),
    a: within(a.words, MAX_OTHER_BYTES),
    b: within(b.words, MAX_OTHER_BYTES),
    c: within(c.words, MAX_OTHER_BYTES),
    d: within(ofDifferent(d.words, MAX_DIFFERENT), MAX_BODY_BYTES),
    accented_a: within(a.accented, MAX_OTHER_BYTES),
    accented_b: within(b.accented, MAX_OTHER_BYTES),
    accented_c: within(c.accented, MAX_OTHER_BYTES),
    accented_d: within(d.accented, MAX_ACCENTED_BYTES),
    joined_a: within(a.joined, MAX_OTHER_BYTES),
    joined_b: within(b.joined, MAX_OTHER_BYTES),
    joined_c: within(c.joined, MAX_OTHER_BYTES),
    joined_d: within(d.joined, MAX_JOINED_BYTES),
  }
  return { document, row, words: document.visibility === 'public' ? correctableWords(indexed) : new Set() }
}

/** Reads the words of documents, and yields to other work of the process in between. */
export async function prepareDocuments(
  given: readonly SearchDocument[],
  configurationOf: ConfigurationOf,
): Promise<readonly PreparedDocument[]> {
  const folded = createFolder()
  const prepared: PreparedDocument[] = []
  for (const document of given) {
    prepared.push(prepare(document, configurationOf, folded))
    if (prepared.length % PREPARED_AT_ONCE === 0) await setImmediate()
  }
  return prepared
}
