import { z } from 'zod'
import { defineNotification } from '../../../framework/module/define-notification.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { reviewWritten } from './events.ts'
import { reviewMessages } from './messages.ts'

const reviews = defineNotification({
  kind: 'review',
  summary: 'Reviews of your services',
  email: 'daily',
  events: [reviewWritten],
  data: z.object({ title: z.string(), score: z.number() }),
  async notify({ profileId, data: { serviceId, score } }, read) {
    if (profileId === null) return undefined
    const listing = await requireGroup(read, 'listings').listings.get(profileId, serviceId)
    return listing && { to: { profileId }, groupKey: serviceId, data: { title: listing.details.name, score } }
  },
  text: ({ count, data: { title, score }, ...reader }) => ({
    title: reviewMessages(reader)(count > 1 ? 'many' : 'one', { count, title, score }),
  }),
})

export const listingNotifications = [reviews] as const
