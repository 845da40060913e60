import { z } from 'zod'
import { jsonObject, webUrl } from '../fields.ts'

export const customData = z.strictObject({
  schema_url: webUrl.optional(),
  fields: jsonObject.optional(),
})
