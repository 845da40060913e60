import { randomUUID } from 'node:crypto'
import { type JsonObject, type PaymentRail, paymentUnknown } from '@eep/core/ports'
import { signPayment } from '@eep/payments-x402/testing'
import { describe, expect, it, vi } from 'vitest'
import { codeOf } from '../../support/accounts.ts'
import { soon } from '../../support/wait.ts'
import { monthly, openYears, reasonOf, signed, YEAR, yearBehind } from '../../support/years.ts'

const { chain, payer, railOn, spentBy, startHost } = await openYears()

describe('a year priced in several tokens of a network', () => {
  it('accepts payments to the address of each token’s offer', async () => {
    const second = await chain.newToken({ currencies: { usdc: '1' } })
    const { address: elsewhere } = chain.wallets.thirdParty
    const also = [{ network: 'base-sepolia', asset: second.asset, payTo: elsewhere }]
    const { customer } = await startHost({ payments: { rails: [railOn({ also })] } })
    const wallet = await payer()
    await second.mint(wallet.address, YEAR)
    for (const place of [0, 1]) {
      const ada = await customer()
      const offer = await ada.offer()
      const entry = offer.payment_required.accepts[place] as JsonObject
      expect(entry.payTo).toBe([chain.wallets.platform.address, elsewhere][place])
      const domain = place === 0 ? {} : { domain: second.asset }
      expect((await ada.redeem(offer, await signPayment(entry, wallet, domain))).statusCode, `${place}`).toBe(200)
    }
    expect(await spentBy(wallet)).toBe(YEAR)
    expect(await second.paymentsTo(elsewhere)).toEqual([YEAR])
  })
})

describe('a year beside another subscription', () => {
  it('refuses a year beside another subscription, and two tiers at the same time', async () => {
    const { customer, storage } = await startHost()
    const [ada, bob] = [await customer(), await customer()]
    const offer = await ada.offer()
    await storage.transaction((tx) => tx.subscriptions.put(monthly(ada.id)))
    const wallet = await payer()
    expect(codeOf(await ada.start())).toBe('already_subscribed')
    expect(codeOf(await ada.redeem(offer, await signed(offer, wallet)))).toBe('already_subscribed')

    const own = await bob.offer()
    await bob.redeem(own, await signed(own, wallet))
    expect(codeOf(await bob.start('team'))).toBe('already_subscribed')
    expect(await spentBy(wallet)).toBe(YEAR)
  })

  it('starts the year after the other subscription when both are bought concurrently', async () => {
    const meanwhile: { work: () => Promise<unknown> } = { work: async () => undefined }
    const { customer, storage } = await startHost({
      hooks: { beforeSettle: async () => void (await meanwhile.work()) },
    })
    const ada = await customer()
    const other = monthly(ada.id)
    meanwhile.work = () => storage.transaction((tx) => tx.subscriptions.put(other))
    const offer = await ada.offer()
    const { year, subscription } = (await ada.redeem(offer, await signed(offer, await payer()))).json()
    expect(year.term).toBeNull()
    expect(subscription).toMatchObject({ tier: 'team', processor: 'stripe' })

    await storage.transaction((tx) => tx.subscriptions.put({ ...other, status: 'canceled' }))
    await vi.waitFor(
      async () => expect(await ada.subscription()).toMatchObject({ processor: 'usdc', tier: 'pro' }),
      60_000,
    )
    expect(await ada.tier()).toBe('pro')
  })
})

describe('a payment for a year', () => {
  it('accepts a payment that is public on the chain only from the owner of the wallet', async () => {
    const { customer, storage } = await startHost()
    const [ada, mallory] = [await customer(), await customer()]
    const wallet = await payer()
    const offer = await ada.offer()
    const proof = await signed(offer, wallet)
    // A third party submits it to the chain before it arrives here.
    const rail = railOn()
    const purchase = {
      profileId: 0,
      sellerDid: 'did:web:profiles.example',
      resource: 'x',
      pattern: 'x',
      tier: 'pro',
      access: [],
      rails: null,
      per: 'year',
      price: { amount: '120', currency: 'usdc' },
      payTo: {},
      shown: { url: 'https://profiles.example/x', description: '', mimeType: 'text/plain' },
    } as const
    const credential = rail.read({ paymentSignature: Buffer.from(JSON.stringify(proof)).toString('base64') })
    if (!credential) throw new Error('the payment was not read')
    await rail.settle(credential, purchase, await rail.verify(credential, purchase))
    expect(await spentBy(wallet)).toBe(YEAR)

    const copied = await mallory.redeem(await mallory.offer(), proof)
    expect([copied.statusCode, reasonOf(copied)]).toEqual([402, 'credential_already_used'])
    expect(await mallory.subscription()).toBeNull()

    await storage.transaction((tx) =>
      tx.wallets.put({
        id: randomUUID(),
        accountId: ada.id,
        address: wallet.address,
        chainId: 84_532,
        verifiedAt: new Date(),
      }),
    )
    expect((await ada.redeem(offer, proof)).statusCode).toBe(200)
    expect(await spentBy(wallet)).toBe(YEAR)
    expect(await ada.tier()).toBe('pro')
  })

  it('grants the year once when the unknown outcome of its payment is found, without charging again', async () => {
    const rail = railOn()
    const lossy: PaymentRail = {
      ...rail,
      async settle(...given) {
        await rail.settle(...given)
        throw paymentUnknown()
      },
      recover: async () => {
        throw paymentUnknown()
      },
    }
    let isSeen = false
    const seen: PaymentRail = {
      ...lossy,
      recover: (...given) => (isSeen ? rail.recover(...given) : lossy.recover(...given)),
    }
    const { customer } = await startHost({ payments: { rails: [seen] } })
    const ada = await customer()
    const wallet = await payer()
    const offer = await ada.offer()
    const proof = await signed(offer, wallet)
    const answer = await ada.redeem(offer, proof)
    expect([answer.statusCode, codeOf(answer)]).toEqual([503, 'settlement_pending'])
    expect(await ada.subscription()).toBeNull()
    isSeen = true
    // The reconciler resolves it without a request.
    await soon(async () => expect(await ada.subscription()).toMatchObject({ processor: 'usdc' }))
    expect((await ada.redeem(offer, proof)).statusCode).toBe(200)
    expect(await spentBy(wallet)).toBe(YEAR)
  })

  it('grants two years for two payments that answer one challenge concurrently', async () => {
    const bothAreIn = Promise.withResolvers<void>()
    const rail = railOn()
    let waiting = 0
    const slow: PaymentRail = {
      ...rail,
      async settle(...given) {
        waiting += 1
        if (waiting === 2) bothAreIn.resolve()
        await bothAreIn.promise
        return rail.settle(...given)
      },
    }
    const { customer, clock } = await startHost({ payments: { rails: [slow], settlementLeaseMs: 30_000 } })
    const ada = await customer()
    const wallets = [await payer(), await payer()]
    const offer = await ada.offer()
    const proofs = await Promise.all(wallets.map((wallet) => signed(offer, wallet)))
    const answers = await Promise.all(proofs.map((proof) => ada.redeem(offer, proof)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect((await ada.subscription()).current_period_end).toBe(yearBehind(clock(), 2))
  })
})
