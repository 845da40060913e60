import { z } from 'zod'
import { line, money } from '../fields.ts'

export const productData = z.strictObject({
  sku: line(64).optional(),
  brand: line(128).optional(),
  price: money.optional(),
  availability: line(64).optional(),
})
