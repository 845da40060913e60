import { locationNotRemovable } from './errors.ts'

/** Where some bytes of an item are: in the file, or in the item data box. */
export interface ItemExtent {
  readonly isInData: boolean
  readonly offset: number
  readonly length: number
}

const MAX_ITEMS = 10_000
/** Of all items: the fields of an extent may have no bytes at all. */
const MAX_EXTENTS = 50_000

/**
 * Where the Exif and XMP items of a HEIC or AVIF image are, from the contents of its `iinf` and `iloc` boxes.
 *
 * @throws `location_not_removable` when the tables cannot be read
 */
export function itemExtentsOf(items: Buffer, locations: Buffer): readonly ItemExtent[] {
  try {
    const ids = metadataItemsOf(items)
    return ids.size === 0 ? [] : extentsOf(locations, ids)
  } catch (error) {
    // A table is truncated.
    if (error instanceof RangeError) throw locationNotRemovable({ cause: error })
    throw error
  }
}

function metadataItemsOf(items: Buffer): ReadonlySet<number> {
  const ids = new Set<number>()
  const isShort = items.readUInt8(0) === 0
  const count = isShort ? items.readUInt16BE(4) : items.readUInt32BE(4)
  if (count > MAX_ITEMS) throw locationNotRemovable()
  let at = isShort ? 6 : 8
  for (let index = 0; index < count; index++) {
    const size = items.readUInt32BE(at)
    if (size < 12 || at + size > items.length) throw locationNotRemovable()
    const entry = items.subarray(at + 8, at + size)
    const version = entry.readUInt8(0)
    const idBytes = version === 3 ? 4 : 2
    const rest = 4 + idBytes + 2
    const type = version < 2 ? 'mime' : entry.toString('latin1', rest, rest + 4)
    const name = version < 2 ? rest : rest + 4
    // After the name.
    const media = entry.toString('latin1', name).split('\0')[1] ?? ''
    if (type === 'Exif' || (type === 'mime' && /xml/i.test(media))) ids.add(entry.readUIntBE(4, idBytes))
    at += size
  }
  return ids
}

function extentsOf(locations: Buffer, wanted: ReadonlySet<number>): readonly ItemExtent[] {
  const found: ItemExtent[] = []
  let all = 0
  let at = 0
  const next = (bytes: number): number => {
    const value =
      bytes === 0 ? 0 : bytes === 8 ? Number(locations.readBigUInt64BE(at)) : locations.readUIntBE(at, bytes)
    at += bytes
    return value
  }
  const version = next(1)
  at += 3
  const sizes = next(2)
  const [offsetBytes = 0, lengthBytes = 0, baseBytes = 0, last = 0] = [12, 8, 4, 0].map((bit) => (sizes >> bit) & 15)
  const indexBytes = version === 0 ? 0 : last
  if (version > 2 || [offsetBytes, lengthBytes, baseBytes, indexBytes].some((bytes) => ![0, 4, 8].includes(bytes))) {
    throw locationNotRemovable()
  }
  const idBytes = version === 2 ? 4 : 2
  const count = next(idBytes)
  if (count > MAX_ITEMS) throw locationNotRemovable()
  for (let index = 0; index < count; index++) {
    const isWanted = wanted.has(next(idBytes))
    const method = version === 0 ? 0 : next(2) & 15
    const isElsewhere = next(2) !== 0
    const base = next(baseBytes)
    const extents = next(2)
    all += extents
    if (all > MAX_EXTENTS) throw locationNotRemovable()
    for (let extent = 0; extent < extents; extent++) {
      at += indexBytes
      const offset = base + next(offsetBytes)
      const length = next(lengthBytes)
      if (!isWanted) continue
      // An extent without length is a whole file; one of another item has no place.
      if (isElsewhere || method > 1 || length === 0 || found.length >= MAX_ITEMS) throw locationNotRemovable()
      found.push({ isInData: method === 1, offset, length })
    }
  }
  return found
}
