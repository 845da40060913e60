import { z } from 'zod'
import { line, prose } from '../../kernel/text-fields.ts'

export const knowledgeData = z.strictObject({
  subject: line(200).optional(),
  abstract: prose(5000).optional(),
  authors: z.array(line(128)).max(50).optional(),
  license: line(128).optional(),
})
