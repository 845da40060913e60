import { z } from 'zod'
import { defineEvent } from '../../events/define-event.ts'

export const gateConfigChanged = defineEvent('gates.config_changed', {
  audience: 'public',
  subject: 'profile',
  data: z.object({ version: z.int() }),
  signal: 'gate.config_changed',
  invalidates: ['profile', 'lists'],
  summary: 'The gate configuration of a profile changed',
})
export const gateEvents = [gateConfigChanged] as const
