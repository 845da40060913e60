import { z } from 'zod'
import { line } from '../kernel/text-fields.ts'

/** Free-form metadata of a listing or a deal: at most 20 members, each a short string, a number or a boolean. */
export const metadata = z
  .record(z.string().min(1).max(64), z.union([line(256), z.number(), z.boolean()]))
  .refine((members) => Object.keys(members).length <= 20, 'At most 20 members')
