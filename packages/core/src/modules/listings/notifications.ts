import { z } from 'zod'
import { defineNotification } from '../../module/define-notification.ts'
import { requireGroup } from '../../storage/require-group.ts'
import { reviewWritten } from './events.ts'

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
  text: ({ count, data: { title, score } }) => ({
    title: count > 1 ? `${count} reviews of "${title}"` : `"${title}" was reviewed: ${score} of 5`,
  }),
})

export const listingNotifications = [reviews] as const
