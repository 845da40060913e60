import { z } from 'zod'
import { LEVELS, type Level } from '../../../model/trust-score.ts'
import { defineEvent } from '../../../runtime/events/define-event.ts'

const level = z.enum(Object.keys(LEVELS) as [Level, ...Level[]])

export const trustLevelChanged = defineEvent('trust.level_changed', {
  audience: 'public',
  subject: 'profile',
  data: z.object({ previous: level, current: level, score: z.int() }),
  signal: {
    types: {
      'trust.changed': z.object({
        entity_id: z.int(),
        field: z.literal('level'),
        previous: level,
        current: level,
        score: z.int().min(0).max(100),
      }),
    },
    of: ({ previous, current, score }, { profileId }) => ({
      type: 'trust.changed',
      data: { entity_id: profileId, field: 'level', previous, current, score },
    }),
  },
  invalidates: ['profile'],
  summary: 'The trust level of a profile changed',
})
/** Emitted without a change of data, so that the trust level is determined again. */
export const trustAgeReached = defineEvent('trust.age_reached', {
  audience: 'internal',
  subject: 'profile',
  data: z.object({}),
  invalidates: ['profile'],
  summary: 'The account of a profile reached an age that affects its trust score',
})

export const trustLevelEvents = [trustLevelChanged, trustAgeReached] as const
