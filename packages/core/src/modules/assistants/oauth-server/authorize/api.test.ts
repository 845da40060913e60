import { expect, it } from 'vitest'
import type { Caller } from '../../../../model/caller.ts'
import { type ConsentApiDeps, createConsentApi } from './api.ts'

const NOW = new Date('2026-03-04T05:06:07.089Z')
const MINUTE_MS = 60_000
const limits = { purchase: 1, day: 1, month: 1, credits: 1 }
const asked = { kind: 'asked', app: { kind: 'configured' }, redirectUri: 'https://app.example/back' }

const api = createConsentApi({
  consent: {
    reopen: async () => ({ id: '1', isProven: false, asked }),
    approve: async () => 'https://app.example/back?code=1',
  } as unknown as ConsentApiDeps['consent'],
  accounts: { me: () => Promise.reject(new Error('not used')) },
  describe: () => [],
  clock: () => NOW,
  limits,
})
const caller = { account: { id: 'ada' }, via: 'host', scopes: 'all' } as unknown as Caller
const approve = (provedAt?: Date, by = caller) =>
  api.approve('sealed', { scopes: ['read:content'], profileId: null }, by, { address: '192.0.2.1', provedAt })

it('allows for a user of a host only when the host states that they proved it within ten minutes', async () => {
  for (const provedAt of [undefined, new Date(NOW.getTime() - 10 * MINUTE_MS - 1)])
    await expect(approve(provedAt)).rejects.toMatchObject({ code: 'recent_sign_in_required' })
  expect(await approve(new Date(NOW.getTime() - 10 * MINUTE_MS))).toContain('code=1')
})

it('takes the time that the host reports with its user, unless its page states another one', async () => {
  const at = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS)
  expect(await approve(undefined, { ...caller, provedAt: at(-9) })).toContain('code=1')
  expect(await approve(at(-1), { ...caller, provedAt: at(-60) })).toContain('code=1')
  for (const provedAt of [at(-11), at(10)])
    await expect(approve(undefined, { ...caller, provedAt })).rejects.toMatchObject({ code: 'recent_sign_in_required' })
})
