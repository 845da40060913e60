import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newName, PASSWORD, signUp } from '../support/accounts.ts'
import { leadsTo, openBrowser, sentencesOf } from '../support/pages.ts'
import { createPlayApp, type PlayApp } from '../support/play-money.ts'

let test: PlayApp
beforeAll(async () => {
  test = await createPlayApp()
})
afterAll(() => test.close())

/** A person in a browser without script, who has bought a plan on the page of prices. */
async function buyer(tier = 'pro') {
  const { account } = await signUp(test.app, newName())
  const tab = openBrowser(test.app)
  await tab.submit('/login', { email: account.email, password: PASSWORD })
  const bought = await tab.submit('/account/plan/buy', { tier, currency: 'usd' })
  const page = new URL(String(bought.headers.location)).pathname
  const paid = await tab.submit(page, { action: 'pay' })
  const back = new URL(String(paid.headers.location))
  const returned = await tab.open(`/account/plan${back.search}`)
  const plans = await test.eep.sandboxPlans.listPlans()
  const plan = plans.find(({ accountId }) => accountId === account.id)
  return {
    tab,
    returned,
    seat: plan?.id ?? '',
    plan: async () => sentencesOf(await tab.open('/account/plan')),
    send: (action: string, texts: Record<string, string> = {}) => tab.submit(`/account/plan/${action}`, texts),
  }
}

/** A person whose trial is over, so that the plan is paid for. */
async function paying(tier?: string) {
  const person = await buyer(tier)
  await test.eep.sandboxPlans.endPeriod(person.seat)
  return person
}

describe('a plan in the sandbox', () => {
  it('is bought with its trial, and the page that the buyer returns to states what follows', async () => {
    const { returned } = await buyer()
    const text = sentencesOf(returned)
    expect(text).toContain('Your plan Pro has started.')
    expect(text).toMatch(/Free until .+\. Then \$12\.00 a month until you cancel\./)
  })

  it('is shown as failed when a payment fails, and offers another means of payment', async () => {
    const { seat, plan, tab, send } = await paying()
    await test.eep.sandboxPlans.failNextPayment(seat)
    await test.eep.sandboxPlans.endPeriod(seat)
    expect(await plan()).toContain('The last payment failed.')
    expect((await tab.open('/account/plan')).body).toContain('role="alert"')
    expect((await send('portal')).statusCode).toBe(303)
    expect((await send('change', { tier: 'team' })).statusCode).toBe(409)
  })

  it('is cancelled with its end date and continued, in two clicks each', async () => {
    const { send, plan, seat } = await paying()
    expect(leadsTo(await send('cancel'))).toEqual([303, '/account/plan?done=cancelled'])
    expect(await plan()).toMatch(/The subscription is cancelled and ends on .+\d{4}/)
    expect(await plan()).toContain('Continue the plan')
    expect(leadsTo(await send('resume'))).toEqual([303, '/account/plan?done=resumed'])
    expect(await plan()).toMatch(/The current period ends on/)
    await test.eep.sandboxPlans.endPeriod(seat)
    expect(await plan()).toMatch(/The current period ends on/)
  })

  it('is not cancelled again by a form that was sent before it was continued', async () => {
    const { send, tab, plan } = await paying()
    const { body } = await tab.open('/account/plan')
    const [, form_id = ''] =
      /action="\/account\/plan\/cancel"><input type="hidden" name="form_id" value="([^"]+)"/.exec(body) ?? []
    expect(form_id).not.toBe('')
    expect(leadsTo(await send('cancel', { form_id }))).toEqual([303, '/account/plan?done=cancelled'])
    expect((await send('resume')).statusCode).toBe(303)
    expect(leadsTo(await send('cancel', { form_id }))).toEqual([303, '/account/plan?done=cancelled'])
    expect(await plan()).not.toContain('The subscription is cancelled')
    const other = await send('change', { form_id, tier: 'team' })
    expect(leadsTo(other)).toEqual([303, '/account/plan?done=changed'])
    expect((await send('change', { form_id, tier: 'pro' })).statusCode).toBe(409)
  })

  it('ends when it is not continued', async () => {
    const { send, plan, seat } = await paying()
    await send('cancel')
    await test.eep.sandboxPlans.endPeriod(seat)
    expect(await plan()).toContain('You have no running subscription.')
    const refused = await send('resume')
    expect([refused.statusCode, sentencesOf(refused).includes('You have no running subscription.')]).toEqual([
      404,
      true,
    ])
  })

  it('is changed to a larger one immediately and to a smaller one later, which can be taken back', async () => {
    const { send, plan, tab } = await paying()
    expect(await plan()).toContain('Team begins now. You pay the difference for the rest of the period now')
    expect(leadsTo(await send('change', { tier: 'team' }))).toEqual([303, '/account/plan?done=changed'])
    expect(await plan()).toContain('$49.00 a month')
    expect((await send('change', { tier: 'pro' })).statusCode).toBe(303)
    expect(await plan()).toMatch(/Pro from .+, \$12\.00 a month/)
    expect(await plan()).toContain('Keep Team')
    await send('change', { tier: 'team' })
    expect(await plan()).not.toContain('Keep Team')
    const unknown = await send('change', { tier: 'gold' })
    expect([unknown.statusCode, sentencesOf(unknown).includes('Choose a plan')]).toEqual([400, true])
    expect((await tab.open('/pricing')).body).toContain('href="/account/plan"')
  })

  it('is not changed at another price than its page showed', async () => {
    const { send, plan, tab } = await paying()
    const changes = /name="tier" value="team"><input type="hidden" name="cents" value="(\d+)"/
    const cents = changes.exec((await tab.open('/account/plan')).body)?.[1] ?? ''
    const refused = await send('change', { tier: 'team', cents: String(Number(cents) - 1) })
    expect([refused.statusCode, sentencesOf(refused).includes('price of this plan has just changed')]).toEqual([
      409,
      true,
    ])
    expect(await plan()).toContain('$12.00 a month')
    expect(leadsTo(await send('change', { tier: 'team', cents }))).toEqual([303, '/account/plan?done=changed'])
  })

  it('stays as it is when the difference is declined', async () => {
    const { send, seat, plan } = await paying()
    await test.eep.sandboxPlans.failNextPayment(seat)
    const declined = await send('change', { tier: 'team' })
    expect([declined.statusCode, sentencesOf(declined).includes('The payment was declined')]).toEqual([409, true])
    expect(await plan()).toContain('$12.00 a month')
    expect((await send('change', { tier: 'team' })).statusCode).toBe(303)
  })

  it('has its invoices on a separate page', async () => {
    const { tab } = await paying()
    const page = sentencesOf(await tab.open('/account/plan/invoices'))
    expect(page).toContain('$12.00')
    expect(page).toContain('$0.00')
    expect(page).toContain('paid')
    expect((await tab.open('/account/plan/invoices?cursor=nothing')).statusCode).toBe(400)
    expect(leadsTo(await openBrowser(test.app).open('/account/plan/invoices'))).toEqual([
      303,
      '/login?next=%2Faccount%2Fplan%2Finvoices',
    ])
  })
})
