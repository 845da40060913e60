import { type CredentialHeaders, challengeIn, formatPaymentCredential, type PaymentChallenge } from '@eep/core/ports'
import { sandbox, sandboxRail } from '@eep/core/sandbox'
import { paymentRailContract } from '@eep/core/testing'
import * as vitest from 'vitest'
import { createTestApp, openStorage, SECRET } from '../support/app.ts'
import { makeToken } from '../support/sandbox.ts'

type Accident = 'before' | 'after'

paymentRailContract(vitest, async () => {
  const opened = await openStorage()
  const { storage } = opened
  const accidents: Accident[] = []
  const rail = sandboxRail({
    secret: SECRET,
    storage: {
      ...storage,
      // What loses a request of a real processor is a failing transaction here.
      async transaction(work) {
        const accident = accidents.shift()
        if (accident === 'before') throw new Error('the request was lost')
        const result = await storage.transaction(work)
        if (accident === 'after') throw new Error('the answer was lost')
        return result
      },
    },
  })
  const { app, close } = await createTestApp({ storage, modules: [sandbox()], payments: { rails: [rail] } })

  async function pay(offer: Parameters<typeof challengeIn>[0], changes?: object): Promise<CredentialHeaders> {
    // The parameters of a challenge are JSON in the port.
    const challenge = challengeIn(offer) as unknown as PaymentChallenge
    return { authorization: formatPaymentCredential(challenge, { spt: await makeToken(app, challenge, changes) }) }
  }
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const challenge = { id: 'x.y', realm: 'r', method: 'stripe', intent: 'charge', request: 'e30' }

  return {
    rail,
    purchase: {
      profileId: 7,
      sellerDid: 'did:web:id.example:u:ada',
      resource: 'content.notes.engines',
      pattern: 'content.notes.*',
      tier: 'reader',
      access: ['content.notes.*'],
      rails: null,
      per: 'day',
      price: { amount: '5', currency: 'usd' },
      shown: {
        url: 'https://id.example/u/ada/content/notes/engines',
        description: 'Engines',
        mimeType: 'text/markdown',
      },
      payTo: {},
    },
    pay: (offer) => pay(offer),
    underpay: (offer) => pay(offer, { amount: '499' }),
    broken: [
      { authorization: `Payment ${encoded({ challenge, payload: {} })}` },
      { authorization: `Payment ${encoded({ challenge, payload: { spt: 'tok_1' } })}` },
      { paymentAuthorization: `Payment ${encoded({ challenge, payload: { spt: 'spt_1' } })}` },
    ],
    async taken() {
      const paid = await storage.read.sandboxPayments.list(['paid'], 10_000)
      return paid.reduce((sum, { amount }) => sum + amount, 0n)
    },
    loseAnswer: () => void accidents.push('after'),
    lies: {
      'a lost request': () => void accidents.push('before'),
      'a lost answer': () => void accidents.push('after'),
      'three lost requests': () => void accidents.push('before', 'before', 'before'),
      'a lost answer and a lost request': () => void accidents.push('after', 'before'),
    },
    another: async () => sandboxRail({ storage: opened.another(), secret: SECRET }),
    async close() {
      await close()
      await opened.close()
    },
  }
})
