import { describe, expect, it } from 'vitest'
import { createAppearance, DEFAULT_APPEARANCE } from './style.ts'

describe('the style sheet', () => {
  it('has six sizes of type and no other', () => {
    const sizes = [...DEFAULT_APPEARANCE.css.matchAll(/font(?:-size)?:([^;}]*)/g)].map(([, value = '']) => value)
    const others = sizes.filter((value) => !/^(?:inherit$|[^"]*var\(--t[1-6]\))/.test(value))
    expect(sizes.length).toBeGreaterThan(10)
    expect(others).toEqual([])
  })

  it.each([
    ['#101010', '#fff'],
    ['#ffee88', '#000'],
    ['#7a7a7a', '#000'],
  ])('writes on the accent %s in %s', (accent, on) => {
    const { css } = createAppearance({ light: { accent }, dark: {} })
    expect(css).toContain(`--accent:${accent};--on:${on};`)
  })
})
