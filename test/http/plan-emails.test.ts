import { afterAll, describe, expect, it, vi } from 'vitest'
import { createBillingApp, subscriber, tellAll } from '../support/billing.ts'
import { createMailbox } from '../support/mailbox.ts'

const LONG = { timeout: 60_000, interval: 20 }
const mailbox = createMailbox()
const test = await createBillingApp({ email: { mailer: mailbox.mailer } })
afterAll(() => test.close())

/** A subscriber in a trial, whose address is verified. */
async function inTrial() {
  const person = await subscriber(test.app)
  const email = (await test.storage.read.accounts.get(person.id))?.email ?? ''
  await test.storage.transaction((tx) => tx.accounts.save(person.id, { emailVerified: true, emailOwned: true }))
  const page = await person.page()
  await tellAll(test.app, test.fakeBilling.buy(page))
  const seat = test.fakeBilling.ledger.desks.get(page)?.checkout.subscriptionId ?? ''
  const subjects = () => mailbox.mails.filter(({ to }) => to === email).map(({ subject }) => subject)
  return { ...person, seat, email, subjects }
}

describe('emails about a plan', () => {
  it('say that a trial started, once however often the processor reports it', async () => {
    const ada = await inTrial()
    await tellAll(test.app, [test.fakeBilling.message(ada.seat), test.fakeBilling.message(ada.seat)])
    await vi.waitFor(
      () => expect(ada.subjects()).toContainEqual(expect.stringContaining('Your trial of pro has started')),
      LONG,
    )
    const sent = mailbox.mails.filter(({ to, subject }) => to === ada.email && subject.includes('trial'))
    expect(sent).toHaveLength(1)
    expect(sent[0]?.headers).toMatchObject({ 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' })
    expect(sent[0]?.text).toContain('You can cancel at any time')
  })

  it('say once that a trial ends in three days, also when two instances look at the same time', async () => {
    const ada = await inTrial()
    await test.sweep()
    expect(ada.subjects().filter((subject) => subject.includes('ends on'))).toEqual([])
    test.time.pass(12)
    await Promise.all([test.sweep(), test.sweep()])
    await test.sweep()
    await vi.waitFor(
      () => expect(ada.subjects()).toContainEqual(expect.stringMatching(/^Your trial of pro ends on/)),
      LONG,
    )
    expect(ada.subjects().filter((subject) => subject.includes('ends on'))).toHaveLength(1)
  })

  it('say that a payment failed, and that a plan was cancelled and until when it can be used', async () => {
    const ada = await inTrial()
    await tellAll(test.app, test.fakeBilling.endPeriod(ada.seat, 'failed'))
    expect((await ada.cancel()).statusCode).toBe(200)
    await vi.waitFor(
      () =>
        expect(ada.subjects()).toEqual(
          expect.arrayContaining([
            expect.stringContaining('A payment for your plan failed'),
            expect.stringContaining('Your plan pro was cancelled'),
          ]),
        ),
      LONG,
    )
  })
})
