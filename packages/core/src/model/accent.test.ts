import { describe, expect, it } from 'vitest'
import { contrastOf, toOklch } from '../kernel/color.ts'
import { accentOn, type Grounds } from './accent.ts'
import { groundsOf } from './theme.ts'

const { light, dark } = groundsOf({ light: {}, dark: {} })

/** A color for every step of red, green and blue. */
const STEPS = ['00', '33', '66', '99', 'cc', 'ff']
const COLORS = STEPS.flatMap((red) => STEPS.flatMap((green) => STEPS.map((blue) => `#${red}${green}${blue}`)))

const distance = (one: number, other: number) => Math.abs(Math.atan2(Math.sin(one - other), Math.cos(one - other)))
const MIN_CHROMA = 0.03

describe.each([
  ['light', light],
  ['dark', dark],
])('on %s grounds', (_name, grounds: Grounds) => {
  it('makes text of every color readable on paper, cards and tinted boxes', () => {
    const poor = COLORS.filter((color) => {
      const { accent } = accentOn(color, grounds)
      return Object.values(grounds).some((ground) => contrastOf(accent, ground) < 4.5)
    })
    expect(poor).toEqual([])
  })

  it('writes on every color so that it can be read', () => {
    const poor = COLORS.filter((color) => {
      const { accent, on } = accentOn(color, grounds)
      return contrastOf(on, accent) < 4.5
    })
    expect(poor).toEqual([])
  })

  it('keeps the hue of every color', () => {
    const turned = COLORS.filter((color) => {
      const [before, after] = [toOklch(color), toOklch(accentOn(color, grounds).accent)]
      // A gray has no hue, and near black and white there is too little of it.
      return before.chroma > MIN_CHROMA && after.chroma > MIN_CHROMA && distance(before.hue, after.hue) > 0.1
    })
    expect(turned).toEqual([])
  })
})

it('keeps a color that can be read', () => {
  expect(accentOn('#1f5f4f', light)).toEqual({ accent: '#1f5f4f', on: '#fff' })
  expect(accentOn('#8fcbb7', dark)).toEqual({ accent: '#8fcbb7', on: '#000' })
})

it('makes a color darker on light grounds and lighter on dark ones', () => {
  const yellow = toOklch('#ffee00').lightness
  expect(toOklch(accentOn('#ffee00', light).accent).lightness).toBeLessThan(yellow)
  const navy = toOklch('#000080').lightness
  expect(toOklch(accentOn('#000080', dark).accent).lightness).toBeGreaterThan(navy)
})

it('uses black or white on grounds on which no color of the hue can be read', () => {
  const gray = { paper: '#777777', card: '#777777', tint: '#666666' }
  expect(['#000000', '#ffffff']).toContain(accentOn('#777777', gray).accent)
})
