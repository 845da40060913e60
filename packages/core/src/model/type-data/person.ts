import { z } from 'zod'
import { line } from '../../kernel/text-fields.ts'

export const personData = z.strictObject({
  headline: line(200).optional(),
  location: line(200).optional(),
  languages: z.array(line(35)).max(50).optional(),
  availability: line(64).optional(),
})
