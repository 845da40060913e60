import { expect, it } from 'vitest'
import { createQuantizer } from './bits.ts'

const distance = (one: string, other: string) => [...one].filter((bit, index) => bit !== other[index]).length

it('gives vectors bits that differ as their angle is wide', () => {
  const quantize = createQuantizer()
  const vector = Array.from({ length: 50 }, (_, index) => Math.sin(index * 7))
  const near = vector.map((value, index) => value + 0.2 * Math.cos(index * 3))
  const far = vector.map((_, index) => Math.cos(index * 5))
  const [bits, nearBits, farBits] = [vector, near, far].map(quantize)
  expect(bits).toHaveLength(512)
  expect(distance(bits ?? '', nearBits ?? '')).toBeLessThan(distance(bits ?? '', farBits ?? '') / 2)
  expect(distance(bits ?? '', quantize(vector.map((value) => -value)))).toBe(512)
  expect(createQuantizer()(vector)).toBe(bits)
  expect(quantize(Array.from({ length: 768 }, (_, index) => (index % 2 ? 1 : -1)))).toBe('01'.repeat(384))
})
