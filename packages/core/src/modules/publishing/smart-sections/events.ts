import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'

export const sectionsReplaced = defineEvent('smart_sections.sections_replaced', {
  audience: 'public',
  subject: 'profile',
  data: z.object({ version: z.int() }),
  signal: {
    types: { 'entity.sections.changed': z.object({ entity_id: z.int(), version: z.int() }) },
    of: ({ version }, { profileId }) => ({ type: 'entity.sections.changed', data: { entity_id: profileId, version } }),
  },
  invalidates: ['lists'],
  summary: 'The sections of a profile for types of agents changed',
})
export const smartSectionEvents = [sectionsReplaced] as const
