import { expect, it } from 'vitest'
import { givesAccess, isLive, SUBSCRIPTION_STATUSES, statusOf } from '../../../model/subscription-status.ts'

const those = (rule: typeof isLive) => SUBSCRIPTION_STATUSES.filter((status) => rule({ status }))

it('takes as live whatever may still be paid for', () => {
  expect(those(isLive)).toEqual(['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused', 'other'])
})

it('gives access on trial, while paid, and while a late bill is retried', () => {
  expect(those(givesAccess)).toEqual(['trialing', 'active', 'past_due'])
})

it('gives nothing that is over', () => {
  for (const status of SUBSCRIPTION_STATUSES) if (!isLive({ status })) expect(givesAccess({ status })).toBe(false)
})

it('maps the statuses of a processor, and unknown ones to other', () => {
  expect(SUBSCRIPTION_STATUSES.map(statusOf)).toEqual(SUBSCRIPTION_STATUSES)
  for (const word of ['', 'frozen', 'toString', '__proto__', 'ACTIVE']) expect(statusOf(word)).toBe('other')
})
