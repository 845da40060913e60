import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'

/** About the account that reacts. Pages do not show who reacted, and counts are read at each request. */
const reaction = {
  audience: 'internal',
  subject: 'account',
  data: z.object({ kind: z.enum(['like', 'bookmark']), pageId: z.int(), ofProfileId: z.int() }),
} as const

export const reactionAdded = defineEvent('reactions.reaction_added', { ...reaction, summary: 'A reaction was added' })
export const reactionRemoved = defineEvent('reactions.reaction_removed', {
  ...reaction,
  summary: 'A reaction was removed',
})

export const reactionEvents = [reactionAdded, reactionRemoved] as const
