import { z } from 'zod'
import { jsonObject, webUrl } from '../profile-values.ts'

export const customData = z.strictObject({
  schema_url: webUrl.optional(),
  fields: jsonObject.optional(),
})
