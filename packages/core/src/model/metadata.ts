import { z } from 'zod'
import { line } from '../kernel/text-fields.ts'

/** Free-form members that a listing or a deal carries: at most 20, each a short text, a number or a boolean. */
export const metadata = z
  .record(z.string().min(1).max(64), z.union([line(256), z.number(), z.boolean()]))
  .refine((members) => Object.keys(members).length <= 20, 'At most 20 members')
