import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseStored } from './parse-stored.ts'
import { line } from './text-fields.ts'

const name = line(20)
const BROKEN = 'Ada\u202E Lovelace'
const CLEAN = 'Ada Lovelace'

describe('a stored value', () => {
  it('has its names cleaned in lists, records and unions, and nothing else', () => {
    const schema = z.object({
      title: name,
      people: z.array(z.union([name, z.object({ name, note: z.string() })])),
      byKey: z.record(z.string(), name),
    })
    const value = {
      title: BROKEN,
      people: [BROKEN, 'Bob', { name: BROKEN, note: BROKEN }],
      byKey: { __proto__: null, a: BROKEN, b: 'Bob' },
    }
    expect(parseStored(schema, value).data).toEqual({
      title: CLEAN,
      people: [CLEAN, 'Bob', { name: CLEAN, note: BROKEN }],
      byKey: { a: CLEAN, b: 'Bob' },
    })
  })

  it('keeps the names that are given, and is refused for them', () => {
    const schema = z.object({ first: name, second: name })
    const result = parseStored(schema, { first: BROKEN, second: BROKEN }, ([member]) => member === 'first')
    expect(result.error?.issues.map(({ path }) => path)).toEqual([['first']])
  })

  it('is read once for all its names, not once for each', () => {
    let reads = 0
    const read = () => {
      reads += 1
      return BROKEN
    }
    const item = () => Object.defineProperty({}, 'name', { enumerable: true, get: read })
    const value = Array.from({ length: 100 }, item)
    expect(parseStored(z.array(z.object({ name })), value).success).toBe(true)
    // Once by the check that refuses it, once to clean it.
    expect(reads).toBe(200)
  })
})
