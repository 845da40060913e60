import { eep } from '@eep/core'
import { cashRail, createCashWallets } from '@eep/core/testing'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { openStorage } from '../../test/support/app.ts'

const cashWallets = createCashWallets()

/** A service where reading /u/ada/content/notes costs a cent. */
async function shop() {
  const app = Fastify()
  const { storage, close } = await openStorage()
  app.addHook('onClose', close)
  await app.register(eep, {
    publicUrl: 'https://profiles.example.com',
    storage,
    secret: 'thirty-two characters of a secret',
    payments: { rails: [cashRail({ cashWallets })] },
  })
  await app.ready()
  const { accounts, profiles, content, gates } = app.eep
  const { token } = await accounts.register({
    email: 'ada@example.com',
    password: 'Barometer-1987',
    username: 'ada',
    fullName: 'Ada',
  })
  const ada = await accounts.authenticate(token)
  const profile = await profiles.find('person', 'ada')
  await gates.putConfig(
    profiles.didOf(profile),
    {
      default_tier: 'free',
      tiers: {
        free: { requirements: [], access: ['profile.*'] },
        reader: {
          requirements: [{ type: 'payment', amount: 0.01, currency: 'usd', per: 'day' }],
          access: ['content.*'],
        },
      },
    },
    ada,
  )
  await content.pages.create(
    {
      profileId: profile.id,
      categoryId: null,
      title: 'Notes',
      body: 'Worth a cent.',
      excerpt: null,
      position: 0,
      status: 'published',
    },
    ada,
  )
  return app
}

// #region test
it('serves a payment whose answer was lost, and takes it once', async () => {
  const app = await shop()
  const read = (headers = {}) => app.inject({ url: '/u/ada/content/notes', headers })

  const offer = await read()
  expect(offer.statusCode).toBe(402)
  const credential = cashWallets.answer(offer.headers['payment-required'])

  cashWallets.next('settle', { lose: 'answer' })
  const lost = await read(credential)
  expect(lost.statusCode).toBe(503)
  expect(lost.json().error.code).toBe('settlement_pending')

  const served = await read(credential)
  expect(served.body).toContain('Worth a cent.')
  expect(cashWallets.balance()).toBe(10_000n)
  await app.close()
})
// #endregion
