import { z } from 'zod'
import { line } from '../../kernel/text-fields.ts'
import { money } from '../profile-values.ts'

export const assetData = z.strictObject({
  category: line(128).optional(),
  identifier: line(128).optional(),
  condition: line(64).optional(),
  value: money.optional(),
})
