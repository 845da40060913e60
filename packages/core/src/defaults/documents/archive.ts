import { fromBufferPromise } from 'yauzl'
import { Refusal } from './refusal.ts'

/** The parts of an office document by their names, as far as they are text. */
export type Parts = ReadonlyMap<string, Buffer>

// A book of a thousand pages has some 10 MB of XML.
const MAX_ENTRIES = 20_000
const MAX_BYTES = 67_108_864

const tooComplex = () => new Refusal('too_complex', 'The document holds more than is read')
const broken = (message: string) => new Refusal('broken', message)

/**
 * Reads the XML of an archive, and nothing else that is in it. How much that is, is known from its directory before
 * anything is inflated; an entry that is longer than it says there ends the reading.
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
    if (parts.has(fileName)) throw broken('The document has a part twice')
    total += uncompressedSize
    if (total > MAX_BYTES) throw tooComplex()
    const chunks: Buffer[] = []
    for await (const chunk of await archive.openReadStreamPromise(entry)) chunks.push(chunk)
    const part = Buffer.concat(chunks)
    // Office documents have none; elsewhere they are how a short text becomes a long one.
    if (part.includes('<!DOCTYPE') || part.includes('<!ENTITY')) throw broken('The document declares its own types')
    parts.set(fileName, part)
  }
  return parts
}

/** A part that the document cannot be without. */
export function partOf(parts: Parts, name: string): string {
  const part = parts.get(name)
  if (!part) throw broken('The document lacks a part')
  return part.toString('utf8')
}
