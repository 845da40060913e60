import { z } from 'zod'
import { PLANS } from '../../model/plan.ts'
import { defineNotification } from '../../module/define-notification.ts'
import { planChanged } from '../accounts/events.ts'
import { billFailed } from './events.ts'

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
  text: ({ data }) => ({
    title: 'plan' in data ? `Your plan is now ${data.plan}` : 'A payment for your plan failed',
    link: '/manage/limits',
  }),
})

export const subscriptionNotifications = [plan] as const
