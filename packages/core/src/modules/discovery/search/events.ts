import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'

export const reindexRequested = defineEvent('search.reindex_requested', {
  audience: 'internal',
  subject: 'service',
  data: z.object({}),
  summary: 'A rebuild of the search index was requested',
})

export const searchEvents = [reindexRequested] as const
