import { fromBufferPromise } from 'yauzl'
import { Refusal } from './refusal.ts'

/** The text parts of an office document, by name. */
export type Parts = ReadonlyMap<string, Buffer>

// A book of a thousand pages has some 10 MB of XML.
const MAX_ENTRIES = 20_000
const MAX_BYTES = 67_108_864

const tooComplex = () => new Refusal('too_complex', 'The content of the document is too large')
const broken = (message: string) => new Refusal('broken', message)

/**
 * Reads only the XML of an archive. Its size is known from the directory before anything is inflated; an entry that is
 * longer than announced there ends the reading.
 */
export async function readParts(bytes: Buffer): Promise<Parts> {
  const archive = await fromBufferPromise(bytes, { lazyEntries: true, strictFileNames: true, validateEntrySizes: true })
  if (archive.entryCount > MAX_ENTRIES) throw tooComplex()
  const parts = new Map<string, Buffer>()
  let total = 0
  for await (const entry of archive.eachEntry()) {
    if (archive.entriesRead > MAX_ENTRIES) throw tooComplex()
    const { fileName, uncompressedSize } = entry
    if (!/\.(xml|rels)$/i.test(fileName)) continue
    if (entry.isEncrypted()) throw new Refusal('protected', 'The document is protected by a password')
    if (parts.has(fileName)) throw broken('The document contains a part twice')
    total += uncompressedSize
    if (total > MAX_BYTES) throw tooComplex()
    const chunks: Buffer[] = []
    for await (const chunk of await archive.openReadStreamPromise(entry)) chunks.push(chunk)
    const part = Buffer.concat(chunks)
    // Office documents have no such declarations, which could expand a short text into a long one.
    if (part.includes('<!DOCTYPE') || part.includes('<!ENTITY'))
      throw broken('The document contains a document type declaration')
    parts.set(fileName, part)
  }
  return parts
}

/** Returns a required part of the document. */
export function partOf(parts: Parts, name: string): string {
  const part = parts.get(name)
  if (!part) throw broken('The document lacks a required part')
  return part.toString('utf8')
}
