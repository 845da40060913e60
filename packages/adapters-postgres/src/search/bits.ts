/** With fewer bits the nearest passages would be missing among the candidates too often. */
const MIN_BITS = 512

/** Random numbers that are the same in every process. */
function* signs(): Generator<number> {
  let state = 0x9e3779b9
  for (;;) {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    yield (mixed ^ (mixed >>> 14)) & 1 ? 1 : -1
  }
}

function planesFor(dimensions: number): Int8Array {
  const planes = new Int8Array(MIN_BITS * dimensions)
  const values = signs()
  for (let index = 0; index < planes.length; index += 1) planes[index] = values.next().value ?? 1
  return planes
}

/**
 * Turns vectors into bits. The number of bits that differ approximates the angle between two vectors: a bit is the sign
 * of a component, or for short vectors the side of one of 512 planes. Stored bits depend on this: a change needs a
 * rebuild.
 */
export function createQuantizer(): (vector: readonly number[]) => string {
  const planes = new Map<number, Int8Array>()
  return (vector) => {
    const dimensions = vector.length
    if (dimensions >= MIN_BITS) return vector.map((value) => (value > 0 ? '1' : '0')).join('')
    const known = planes.get(dimensions) ?? planesFor(dimensions)
    planes.set(dimensions, known)
    let bits = ''
    for (let plane = 0; plane < MIN_BITS; plane += 1) {
      let sum = 0
      for (let index = 0; index < dimensions; index += 1) {
        sum += (vector[index] ?? 0) * (known[plane * dimensions + index] ?? 0)
      }
      bits += sum > 0 ? '1' : '0'
    }
    return bits
  }
}
