import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'

export const clockMoved = defineEvent('sandbox.clock_moved', {
  audience: 'internal',
  subject: 'profile',
  data: z.object({ step: z.enum(['day', 'month']) }),
  invalidates: ['profile'],
  summary: 'The clock of the sandbox was moved, so access to a profile ends earlier',
})

export const sandboxEvents = [clockMoved] as const
