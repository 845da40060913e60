import { z } from 'zod'
import { PLANS } from '../../model/plan.ts'
import { defineNotification } from '../../module/define-notification.ts'
import { planChanged } from '../accounts/events.ts'
import { billFailed } from './events.ts'
import { planNoticeMessages } from './notification-messages.ts'

const plan = defineNotification({
  kind: 'plan',
  summary: 'Your plan, and payments for it that failed',
  email: 'off',
  events: [planChanged, billFailed],
  data: z.union([z.object({ plan: z.enum(PLANS) }), z.object({ failedAttempt: z.int() })]),
  notify(event) {
    const { accountId } = event.data
    const data = event.type === planChanged.type ? { plan: event.data.tier } : { failedAttempt: event.data.attempt }
    return { to: { accountId }, data }
  },
  text({ data, frontendUrls, ...reader }) {
    const say = planNoticeMessages(reader)
    const title = 'plan' in data ? say('changed', { plan: data.plan }) : say('failed')
    return { title, link: '/manage/limits', page: frontendUrls.plan }
  },
})

export const subscriptionNotifications = [plan] as const
