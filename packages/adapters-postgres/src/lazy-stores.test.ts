import { describe, expect, it, vi } from 'vitest'
import { lazily } from './lazy-stores.ts'

const FIXED = Symbol('fixed')

function open() {
  const pages = vi.fn((prefix: string) => ({ name: `${prefix} pages` }))
  const files = vi.fn((prefix: string) => ({ name: `${prefix} files` }))
  const create = lazily<{ pages: { name: string }; files: { name: string } }, [string]>({ pages, files })
  return { pages, files, stores: create(['my'], { [FIXED]: 'there' }) }
}

describe('a lazy object', () => {
  it('creates a value when it is first read, and once', () => {
    const { pages, files, stores } = open()
    expect(pages).not.toHaveBeenCalled()
    expect(stores.pages).toEqual({ name: 'my pages' })
    expect(stores.pages).toBe(stores.pages)
    expect(pages).toHaveBeenCalledTimes(1)
    expect(files).not.toHaveBeenCalled()
  })

  it('has the same values in a copy', () => {
    const { stores } = open()
    const other = { name: 'others' }
    const copy = { ...stores, files: other }
    expect(copy).toEqual({ pages: { name: 'my pages' }, files: other, [FIXED]: 'there' })
    expect(copy.pages).toBe(stores.pages)
  })

  it('has no other keys', () => {
    const { stores } = open()
    expect(Reflect.ownKeys(stores)).toEqual(['pages', 'files', FIXED])
    expect(['pages' in stores, FIXED in stores, 'constructor' in stores, 'then' in stores]).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(Reflect.get(stores, 'constructor')).toBeUndefined()
  })

  it('cannot be changed', () => {
    const { stores } = open()
    expect(() => Object.assign(stores, { pages: undefined })).toThrow(TypeError)
    expect(() => Object.freeze(stores)).toThrow(TypeError)
    expect(stores.pages).toEqual({ name: 'my pages' })
  })
})
