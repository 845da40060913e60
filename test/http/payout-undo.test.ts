import { cashRail, createCashWallets, newIdentity, newPasskey } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, login, me, PASSWORD, type Person, proveAddress, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createClock } from '../support/clock.ts'
import { createMailbox, tokenIn } from '../support/mailbox.ts'
import { leadsTo, openBrowser, sentencesOf } from '../support/pages.ts'
import { keyOf, linkWallet } from '../support/wallets.ts'

const [BASE, MAIN] = [84532, 1]
const box = createMailbox()
const time = createClock()
let test: Awaited<ReturnType<typeof createTestApp>>
let count = 0

beforeAll(async () => {
  test = await createTestApp({
    email: { mailer: box.mailer },
    auth: { walletVerifier: { chainIds: [BASE, MAIN], verify: async () => true } },
    payments: {
      rails: [BASE, MAIN].map((chain) =>
        cashRail({ cashWallets: createCashWallets(), id: `cash-${chain}`, network: `eip155:${chain}` }),
      ),
    },
    clock: time.clock,
  })
})
afterAll(() => test.close())

const public_ = () => client(test.app)
const undo = (token: string) => public_().post('/manage/payouts/undo', { token })

/** An account that owns its address. */
async function owner(): Promise<Person> {
  const person = await signUp(test.app)
  await proveAddress({ storage: test.storage }, person)
  return person
}

/** Links a wallet, and pays the account to it. */
async function payTo(person: Person, key: number, chain = BASE) {
  const walletId = await linkWallet(
    test.app,
    keyOf(key),
    { ...person.headers },
    {
      chainId: String(chain),
      issuedAt: time.clock().toISOString(),
    },
  )
  const body = { account_wallet_id: walletId, network: `eip155:${chain}` }
  const answer = await person.post('/manage/payouts', body)
  expect(answer.statusCode, answer.body).toBe(201)
  return { walletId, id: answer.json<{ id: number }>().id }
}

/** The token in the oldest email about a changed payout. */
const told = async ({ account }: Person) => tokenIn(await box.take(account.email, 'payoutChanged'))

/** Where the sales of an account are paid to. */
const paidTo = ({ account }: Person) => test.storage.read.payouts?.addressesOf(account.id)
const to = (key: number, chain = BASE) => ({ [`eip155:${chain}`]: keyOf(key).address })

describe('the email about a changed payout wallet', () => {
  it('undoes a wallet that was set, replaced or removed', async () => {
    const person = await owner()
    await payTo(person, 1)
    expect((await undo(await told(person))).statusCode).toBe(200)
    expect(await paidTo(person)).toEqual({})

    const other = await owner()
    await payTo(other, 1)
    await told(other)
    await payTo(other, 2)
    expect((await undo(await told(other))).statusCode).toBe(200)
    expect(await paidTo(other)).toEqual(to(1))

    const third = await owner()
    const { id } = await payTo(third, 1)
    await told(third)
    expect((await third.delete(`/manage/payouts/${id}`)).statusCode).toBe(200)
    const mail = await box.take(third.account.email, 'payoutChanged')
    expect(mail.text).toContain(`Payments on the network eip155:${BASE} no longer go to a wallet of yours.`)
    expect(await paidTo(third)).toEqual({})
    expect((await undo(tokenIn(mail))).statusCode).toBe(200)
    expect(await paidTo(third)).toEqual(to(1))
  })

  it('restores a wallet that was unlinked with force', async () => {
    const person = await owner()
    const { walletId } = await payTo(person, 1)
    await told(person)
    expect((await person.delete(`/auth/siwe/wallets/${walletId}?force=1`)).statusCode).toBe(200)
    expect(await paidTo(person)).toEqual({})
    expect((await undo(await told(person))).statusCode).toBe(200)
    expect(await paidTo(person)).toEqual(to(1))
  })

  it('has no link for an account that does not own its address', async () => {
    const person = await signUp(test.app)
    await payTo(person, 1)
    const { text } = await box.take(person.account.email, 'payoutChanged')
    expect(text).not.toContain('token=')
    expect(text).toContain('change your password')
  })

  it('is not sent when a disabled payout is removed', async () => {
    const person = await owner()
    const { id } = await payTo(person, 1)
    await payTo(person, 2)
    await told(person)
    await told(person)
    expect((await person.delete(`/manage/payouts/${id}`)).statusCode).toBe(200)
    expect(await box.has(person.account.email, 'payoutChanged')).toBe(false)
  })
})

describe('undoing a change of the payout wallet', () => {
  it('ends the sessions, the password and what was added lately, and an email has a link to choose a password', async () => {
    const person = await owner()
    const { id, email } = person.account
    const old = new Date(time.clock().getTime() - 73 * 3_600_000)
    const recent = new Date(time.clock().getTime() - 71 * 3_600_000)
    const kept = (await time.at(old.getTime(), () => person.post('/api-keys', { name: 'old' }))).json().key
    const added = (await time.at(recent.getTime(), () => person.post('/api-keys', { name: 'added' }))).json().key
    await test.storage.transaction(async (tx) => {
      for (const createdAt of [old, recent]) {
        await tx.passkeys?.insert(newPasskey(id, { createdAt, name: createdAt === old ? 'old' : 'added' }), 20)
        await tx.identities?.insert(newIdentity(id, { createdAt, provider: createdAt === old ? 'old' : 'added' }))
      }
      await tx.secondFactors?.begin(id, 'sealed', recent)
      await tx.secondFactors?.confirm(id, 'sealed', 1, [])
    })
    await payTo(person, 1)
    expect((await undo(await told(person))).statusCode).toBe(200)

    expect((await me(test.app, person.headers)).statusCode).toBe(401)
    const statusOf = async (key: string) => (await me(test.app, { 'x-api-key': key })).statusCode
    expect([await statusOf(kept), await statusOf(added)]).toEqual([200, 401])
    const { read } = test.storage
    expect((await read.passkeys?.listOfAccount(id))?.map(({ name }) => name)).toEqual(['old'])
    expect((await read.identities?.listOfAccount(id))?.map(({ provider }) => provider)).toEqual(['old'])
    expect(await read.secondFactors?.get(id)).toBeUndefined()
    expect((await login(test.app, email)).statusCode).toBe(401)
    const token = tokenIn(await box.take(email, 'payoutsRestored'))
    const reset = await public_().post('/auth/reset-password', { token, password: PASSWORD })
    expect(reset.statusCode, reset.body).toBe(200)
    expect((await login(test.app, email)).statusCode).toBe(200)
  })

  it('works once, also when the link is used several times at the same time', async () => {
    const person = await owner()
    await payTo(person, 1)
    const token = await told(person)
    const answers = await Promise.all([1, 2, 3].map(() => undo(token)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400])
    const again = await undo(token)
    expect([again.statusCode, codeOf(again)]).toEqual([400, 'invalid_or_expired_token'])
  })

  it('works for 72 hours', async () => {
    const seconds = 72 * 3_600
    const person = await owner()
    await payTo(person, 1)
    const token = await told(person)
    const stored = await test.storage.read.tokens.getNewest('undo_payout', person.account.id)
    expect(Number(stored?.expiresAt) - Number(stored?.createdAt)).toBe(seconds * 1_000)
    // Tokens expire by the clock of the database.
    const past = await owner()
    const walletId = await linkWallet(test.app, keyOf(1), { ...past.headers })
    const body = { account_wallet_id: walletId, network: `eip155:${BASE}` }
    const chosen = await time.daysAgo(3.01, () => past.post('/manage/payouts', body))
    expect(chosen.statusCode, chosen.body).toBe(201)
    const late = await undo(await told(past))
    expect([late.statusCode, codeOf(late)]).toEqual([400, 'invalid_or_expired_token'])
    expect((await undo(token)).statusCode).toBe(200)
  })

  it('restores the payouts of every network as before its own change, and ends the links of later changes', async () => {
    const person = await owner()
    await payTo(person, 1)
    await payTo(person, 2, MAIN)
    await told(person)
    await told(person)
    await payTo(person, 3)
    await payTo(person, 4, MAIN)
    await payTo(person, 5)
    const [first, second, third] = [await told(person), await told(person), await told(person)]
    expect((await undo(first)).statusCode).toBe(200)
    expect(await paidTo(person)).toEqual({ ...to(1), ...to(2, MAIN) })
    expect([(await undo(second)).statusCode, (await undo(third)).statusCode]).toEqual([400, 400])
    expect(await paidTo(person)).toEqual({ ...to(1), ...to(2, MAIN) })
  })

  it('keeps the links of earlier changes', async () => {
    const person = await owner()
    await payTo(person, 1)
    await told(person)
    await payTo(person, 2)
    await payTo(person, 3)
    const [first, second] = [await told(person), await told(person)]
    expect((await undo(second)).statusCode).toBe(200)
    expect(await paidTo(person)).toEqual(to(2))
    expect((await undo(first)).statusCode).toBe(200)
    expect(await paidTo(person)).toEqual(to(1))
  })

  it('leaves the link that undoes a later change of the email address, and sends that address no password', async () => {
    const person = await owner()
    const { email, id } = person.account
    await payTo(person, 1)
    const payout = await told(person)
    const theirs = `payout-thief-${++count}@example.com`
    await person.post('/auth/email', { new_email: theirs })
    await person.post('/auth/email/confirm', { token: tokenIn(await box.take(theirs, 'newAddress')) })
    const address = tokenIn(await box.take(email, 'addressChanged'))

    expect((await undo(payout)).statusCode).toBe(200)
    expect((await box.take(email, 'payoutsRestored')).text).not.toContain('token=')
    expect(await box.has(theirs, 'payoutsRestored')).toBe(false)
    expect((await public_().post('/auth/email/undo', { token: address })).statusCode).toBe(200)
    expect((await test.storage.read.accounts.get(id))?.email).toBe(email)
  })

  it('is not possible with the link of another person who changed the address, once that change is undone', async () => {
    const person = await owner()
    const { email } = person.account
    const theirs = `payout-thief-${++count}@example.com`
    await person.post('/auth/email', { new_email: theirs })
    await person.post('/auth/email/confirm', { token: tokenIn(await box.take(theirs, 'newAddress')) })
    await payTo(person, 1)
    const token = tokenIn(await box.take(theirs, 'payoutChanged'))
    const address = tokenIn(await box.take(email, 'addressChanged'))
    expect((await public_().post('/auth/email/undo', { token: address })).statusCode).toBe(200)
    expect((await undo(token)).statusCode).toBe(400)
  })
})

describe('the page of the emailed link', () => {
  it('undoes the change with one button, and not by opening it', async () => {
    const person = await owner()
    await payTo(person, 1)
    const mail = await box.take(person.account.email, 'payoutChanged')
    const token = tokenIn(mail)
    expect(mail.text).toContain(`/payouts/undo?token=${token}`)
    const tab = openBrowser(test.app)
    const page = await tab.open(`/payouts/undo?token=${token}`)
    expect(page.statusCode).toBe(200)
    expect(page.body.match(/<button/g)).toHaveLength(1)
    expect(await paidTo(person)).toEqual(to(1))
    expect(leadsTo(await tab.submit('/payouts/undo', { token }))).toEqual([303, '/payouts/undo?done=yes'])
    expect(await paidTo(person)).toEqual({})
    expect(sentencesOf(await tab.open('/payouts/undo?done=yes'))).toContain('Your payout wallets are restored.')
    const used = await tab.submit('/payouts/undo', { token })
    expect([used.statusCode, sentencesOf(used).includes('is invalid')]).toEqual([400, true])
    expect((await tab.open('/payouts/undo')).statusCode).toBe(400)
  })
})
