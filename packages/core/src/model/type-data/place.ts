import { z } from 'zod'
import { line } from '../../kernel/text-fields.ts'

export const placeData = z.strictObject({
  /** The parts of the address by name, as usual in the country: `{ street, city, postal_code, country }`. */
  address: z
    .record(line(64), line(256))
    .refine((parts) => Object.keys(parts).length <= 20, 'At most 20 parts')
    .optional(),
  geo: z.strictObject({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) }).optional(),
  opening_hours: z.array(line(128)).max(50).optional(),
})
