import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'

/** No event contains text of the memory, because events are not encrypted. */
const ofProfile = { audience: 'internal', subject: 'profile' } as const

export const memorySessionCreated = defineEvent('memory.session_created', {
  ...ofProfile,
  data: z.object({ sessionId: z.string() }),
  summary: 'A memory session of an agent was created',
})
export const memoryEntriesChanged = defineEvent('memory.entries_changed', {
  ...ofProfile,
  data: z.object({ sessionId: z.string(), entryIds: z.array(z.int()) }),
  summary: 'Entries of a memory session were added, changed or deleted',
})
export const memorySessionRemoved = defineEvent('memory.session_removed', {
  ...ofProfile,
  data: z.object({ sessionId: z.string() }),
  summary: 'A memory session was deleted or has expired',
})
export const memoryEvents = [memorySessionCreated, memoryEntriesChanged, memorySessionRemoved] as const
