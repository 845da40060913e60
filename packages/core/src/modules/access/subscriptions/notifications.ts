import { z } from 'zod'
import { defineNotification } from '../../../framework/module/define-notification.ts'
import { dayText } from '../../../model/day-text.ts'
import { PLANS } from '../../../model/plan.ts'
import { planChanged } from '../../people/accounts/events.ts'
import { billFailed, subscriptionCancelled, trialEnding, trialStarted } from './events.ts'
import { planNoticeMessages } from './messages.ts'

const plan = defineNotification({
  kind: 'plan',
  summary: 'Your plan: its trial, its end, changes, and payments that failed',
  email: 'immediately',
  events: [planChanged, billFailed, trialStarted, trialEnding, subscriptionCancelled],
  data: z.union([
    z.object({ what: z.enum(['trial_started', 'trial_ending']), plan: z.enum(PLANS), at: z.iso.datetime() }),
    z.object({ what: z.literal('cancelled'), plan: z.enum(PLANS), at: z.iso.datetime().nullable() }),
    z.object({ plan: z.enum(PLANS) }),
    z.object({ failedAttempt: z.int() }),
  ]),
  notify(event) {
    const to = { accountId: event.data.accountId }
    switch (event.type) {
      case planChanged.type:
        // Emails are about what caused it: a trial, a cancellation.
        return { to, data: { plan: event.data.tier }, byEmail: false }
      case billFailed.type:
        return { to, data: { failedAttempt: event.data.attempt } }
      case subscriptionCancelled.type:
        return { to, data: { what: 'cancelled', plan: event.data.tier, at: event.data.endsAt } as const }
      case trialStarted.type:
        return { to, data: { what: 'trial_started', plan: event.data.tier, at: event.data.trialEndsAt } as const }
      case trialEnding.type:
        return { to, data: { what: 'trial_ending', plan: event.data.tier, at: event.data.trialEndsAt } as const }
    }
  },
  text({ data, frontendUrls, ...reader }) {
    const say = planNoticeMessages(reader)
    const day = (at: string) => dayText(reader, new Date(at))
    const target = { link: '/manage/limits', page: frontendUrls.plan }
    if ('failedAttempt' in data) return { title: say('failed'), body: [say('failedNext')], ...target }
    if (!('what' in data)) return { title: say('changed', { plan: data.plan }), ...target }
    if (data.what === 'trial_started') {
      const body = [say('trialUntil', { day: day(data.at) }), say('trialCharge')]
      return { title: say('trialStarted', { plan: data.plan }), body, ...target }
    }
    if (data.what === 'trial_ending') {
      return {
        title: say('trialEnding', { plan: data.plan, day: day(data.at) }),
        body: [say('trialCharge')],
        ...target,
      }
    }
    const end = data.at === null ? say('cancelledNow') : say('cancelledUntil', { day: day(data.at) })
    return { title: say('cancelled', { plan: data.plan }), body: [end], ...target }
  },
})

export const subscriptionNotifications = [plan] as const
