import { z } from 'zod'
import { line } from '../../kernel/text-fields.ts'
import { money } from '../profile-values.ts'

export const productData = z.strictObject({
  sku: line(64).optional(),
  brand: line(128).optional(),
  price: money.optional(),
  availability: line(64).optional(),
})
