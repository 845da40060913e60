import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'

export const gateConfigChanged = defineEvent('gates.config_changed', {
  audience: 'public',
  subject: 'profile',
  data: z.object({
    version: z.int(),
    /** Whether it opens or closes a resource for everyone. */
    isAccessChanged: z.boolean(),
  }),
  signal: {
    types: { 'gate.config_changed': z.object({ entity_id: z.int(), version: z.int() }) },
    of: ({ version }, { profileId }) => ({ type: 'gate.config_changed', data: { entity_id: profileId, version } }),
  },
  invalidates: ['profile', 'lists'],
  summary: 'The gate configuration of a profile changed',
})
export const gateEvents = [gateConfigChanged] as const
