import { z } from 'zod'
import { line } from '../../kernel/text-fields.ts'
import { endsBeforeStart } from '../event-time.ts'
import { webUrl } from '../profile-values.ts'
import { isTimeZone } from '../time-zone.ts'

const moment = z.iso.datetime({ offset: true, local: true, error: 'Must be an ISO 8601 date and time' })

export const eventData = z
  .strictObject({
    starts_at: moment.optional(),
    ends_at: moment.optional(),
    timezone: z
      .string()
      .max(64)
      .refine(isTimeZone, 'Must be a time zone of the IANA database, such as Europe/Berlin')
      .optional(),
    venue: line(200).optional(),
    online_url: webUrl.optional(),
  })
  .refine(
    ({ starts_at: start, ends_at: end, timezone }) =>
      start === undefined || end === undefined || !endsBeforeStart({ start, end, timezone }),
    { path: ['ends_at'], message: 'Must not be before the start' },
  )
