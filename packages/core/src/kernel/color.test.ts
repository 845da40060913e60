import { expect, it } from 'vitest'
import { contrastOf, fromOklch, mixColors, textOn, toOklch } from './color.ts'

it.each(['#000000', '#ffffff', '#1f5f4f', '#ff0000', '#00ff00', '#0000ff', '#ffee88', '#7a7a7a'])(
  'converts %s to OKLCH and back',
  (color) => {
    expect(fromOklch(toOklch(color))).toBe(color)
  },
)

it('knows the OKLCH values of a color', () => {
  const { lightness, chroma, hue } = toOklch('#ff0000')
  expect(lightness).toBeCloseTo(0.628, 3)
  expect(chroma).toBeCloseTo(0.2577, 3)
  expect((hue * 180) / Math.PI).toBeCloseTo(29.23, 1)
})

it('reduces the chroma of a color that screens cannot show, and keeps its lightness and hue', () => {
  const wanted = { ...toOklch('#0000ff'), lightness: 0.9 }
  const shown = toOklch(fromOklch(wanted))
  expect(shown.lightness).toBeCloseTo(0.9, 2)
  expect(shown.chroma).toBeLessThan(wanted.chroma)
  expect(shown.hue).toBeCloseTo(wanted.hue, 1)
})

it('measures contrast as WCAG does', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  expect(contrastOf('#fff', '#ffffff')).toBe(1)
})

it('writes on a color in black or white, whichever can be read better', () => {
  expect([textOn('#101010'), textOn('#ffee88'), textOn('#7a7a7a')]).toEqual(['#fff', '#000', '#000'])
})

it('mixes colors', () => {
  expect(mixColors('#ff0000', 1, '#ffffff')).toBe('#ff0000')
  expect(mixColors('#ff0000', 0, '#ffffff')).toBe('#ffffff')
  expect(contrastOf(mixColors('#000000', 0.14, '#ffffff'), '#ffffff')).toBeGreaterThan(1.2)
})
