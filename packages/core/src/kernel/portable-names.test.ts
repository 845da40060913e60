import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { portableName } from './portable-names.ts'

const portable = (name: string) => portableName(name, 80)

describe('names that every system can unpack', () => {
  it('have no characters that Windows reserves, and no dot or space at their end', () => {
    expect(['Q: why?.txt', 'a*b<c>|d.txt', 'a/b\\c"d', 'tab\there', 'end. . ', '...'].map(portable)).toEqual([
      ...['Q_ why_.txt', 'a_b_c__d.txt', 'a_b_c_d', 'tab_here', 'end', '_'],
    ])
  })

  it('are not names of devices', () => {
    expect(['con', 'AUX.txt', 'com1.tar.gz', 'nul ', 'conx', 'lpt10'].map(portable)).toEqual([
      ...['_con', '_AUX.txt', '_com1.tar.gz', '_nul', 'conx', 'lpt10'],
    ])
  })

  it('keep the extension and whole characters when they are cut', () => {
    expect(portable(`${'a'.repeat(100)}.txt`)).toBe(`${'a'.repeat(76)}.txt`)
    expect(portable(`${'😀'.repeat(50)}x.pdf`)).toBe(`${'😀'.repeat(38)}.pdf`)
    expect(portable(`${'a'.repeat(75)} b.txt`)).toBe(`${'a'.repeat(75)}.txt`)
    expect(portable('日本語.txt')).toBe('日本語.txt')
  })

  it('stay the same when they are made portable again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (name) => {
        const once = portable(name)
        expect(once.length).toBeLessThanOrEqual(80)
        expect(once).toMatch(/[^. ]$/)
        expect(portable(once)).toBe(once)
      }),
    )
  })
})
