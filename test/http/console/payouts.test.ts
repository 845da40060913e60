import { cashRail, createCashWallets } from '@eep/core/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PASSWORD, type Person, proveAddress, signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { actionsOn, browserOf, fieldsOfForm, formOf, roleIn } from '../../support/console.ts'
import { createMailbox, tokenIn } from '../../support/mailbox.ts'
import { hiddenFieldsOf, leadsTo, sentencesOf } from '../../support/pages.ts'
import { keyOf, linkWallet } from '../../support/wallets.ts'

const PATH = '/account/payouts'
const CHAIN = 84532
const NETWORK = `eip155:${CHAIN}`
const GOOD = '0x01'

const box = createMailbox()
let now = new Date()
let test: Awaited<ReturnType<typeof createTestApp>>
let person: Person
let browser: Awaited<ReturnType<typeof browserOf>>

beforeAll(async () => {
  test = await createTestApp({
    clock: () => now,
    email: { mailer: box.mailer },
    auth: {
      walletVerifier: { chainIds: [CHAIN, 1], verify: async ({ signature }) => signature !== '0xbad0' },
    },
    payments: { rails: [cashRail({ cashWallets: createCashWallets(), network: NETWORK })] },
  })
})
afterAll(() => test.close())
beforeEach(async () => {
  person = await signUp(test.app)
  await proveAddress({ storage: test.storage }, person)
  browser = await browserOf(test.app, person)
})

const paidTo = () => test.storage.read.payouts?.addressesOf(person.account.id)
const linked = async () => (await test.storage.read.wallets?.listOfAccount(person.account.id)) ?? []

/** The form that adds a wallet, after the page showed the message to sign. */
async function messageFor(key: number) {
  const page = await browser.submit(PATH, formOf('message', { address: keyOf(key).address, chain: String(CHAIN) }))
  expect(page.statusCode, page.body).toBe(200)
  return fieldsOfForm(page, 'link')
}

/** Adds a wallet without script, as a person would. */
async function add(key: number) {
  const answer = await browser.submit(PATH, { ...(await messageFor(key)), signature: GOOD })
  expect(leadsTo(answer), answer.body).toEqual([303, PATH])
  return answer
}

const link = (key: number) => linkWallet(test.app, keyOf(key), { ...person.headers }, { issuedAt: now.toISOString() })

describe('the screen with the wallets that an account is paid to', () => {
  it('adds a wallet without script by a message and its signature, and pays it from then on', async () => {
    expect(sentencesOf(await browser.open(PATH))).toContain('You have no wallet here.')
    const form = await messageFor(1)
    expect(form.message).toContain(`${keyOf(1).address}\n`)
    expect(form.message).toContain(`Chain ID: ${CHAIN}`)
    const added = await browser.submit(PATH, {
      ...form,
      message: String(form.message).replaceAll('\n', '\r\n'),
      signature: GOOD,
    })
    expect(leadsTo(added), added.body).toEqual([303, PATH])
    expect(await paidTo()).toEqual({ [NETWORK]: keyOf(1).address })
    const page = await browser.open(PATH)
    expect(roleIn(page, 'status')).toContain('Your sales are paid to this wallet from now on.')
    expect(page.body).toContain(keyOf(1).address)
    expect(page.body).toContain('<bdi>Base Sepolia</bdi>')
    expect(page.body).toContain('Paid here')
  })

  it('adds a second wallet without paying it, and pays it when it is chosen', async () => {
    await add(1)
    await add(2)
    expect(roleIn(await browser.open(PATH), 'status')).toContain('Another wallet is paid on its network')
    expect(await paidTo()).toEqual({ [NETWORK]: keyOf(1).address })
    const page = await browser.open(PATH)
    expect([...actionsOn(page)].sort()).toEqual(['choose', 'link', 'message', 'remove', 'stop'])
    expect(leadsTo(await browser.submit(PATH, fieldsOfForm(page, 'choose')))).toEqual([303, PATH])
    expect(await paidTo()).toEqual({ [NETWORK]: keyOf(2).address })
  })

  it('stops paying a wallet, which stays in the list', async () => {
    await add(1)
    const page = await browser.open(PATH)
    expect(page.body).toContain('New sales on <bdi>Base Sepolia</bdi> then go to the operator of this service. The')
    expect(leadsTo(await browser.submit(PATH, fieldsOfForm(page, 'stop')))).toEqual([303, PATH])
    expect([await paidTo(), (await linked()).length]).toEqual([{}, 1])
  })

  it('removes a wallet after a warning, and an email undoes it', async () => {
    await add(1)
    await box.take(person.account.email, 'payoutChanged')
    const page = await browser.open(PATH)
    expect(page.body).toContain('and the wallet is removed from your account')
    expect(leadsTo(await browser.submit(PATH, fieldsOfForm(page, 'remove')))).toEqual([303, PATH])
    expect([await paidTo(), await linked()]).toEqual([{}, []])
    const token = tokenIn(await box.take(person.account.email, 'payoutChanged'))
    expect(leadsTo(await browser.submit('/payouts/undo', { token }))).toEqual([303, '/payouts/undo?done=yes'])
    expect(await paidTo()).toEqual({ [NETWORK]: keyOf(1).address })
  })

  it.each(['link', 'choose', 'stop', 'remove'])('asks an older session for a proof before %s', async (action) => {
    const first = await link(1)
    await person.post('/manage/payouts', { account_wallet_id: first, network: NETWORK })
    await link(2)
    const before = [await paidTo(), await linked()]
    now = new Date(now.getTime() + 600_001)
    const form =
      action === 'link' ? { ...(await messageFor(3)), signature: GOOD } : fieldsOfForm(await browser.open(PATH), action)
    const asked = await browser.submit(PATH, form)
    expect(asked.statusCode).toBe(403)
    expect([await paidTo(), await linked()]).toEqual(before)
    const done = await browser.submit(PATH, { ...hiddenFieldsOf(asked), proof_password: PASSWORD })
    expect(leadsTo(done), done.body).toEqual([303, PATH])
    expect([await paidTo(), await linked()]).not.toEqual(before)
  })

  it('keeps what was entered when the signature is wrong, the message was used, or the address is none', async () => {
    const form = await messageFor(1)
    const wrong = await browser.submit(PATH, { ...form, signature: '0xbad0' })
    expect(wrong.statusCode).toBe(401)
    expect(wrong.body).toContain('The signature does not fit the message and the address.')
    expect(fieldsOfForm(wrong, 'link')).toMatchObject({ message: form.message, signature: '0xbad0' })
    expect(await linked()).toEqual([])

    await browser.submit(PATH, { ...fieldsOfForm(wrong, 'link'), signature: GOOD })
    expect(await linked()).toHaveLength(1)
    const used = await browser.submit(PATH, formOf('link', { message: String(form.message), signature: GOOD }))
    expect([used.statusCode, roleIn(used, 'alert')]).toEqual([
      409,
      'This message has expired or was used. Show a new one, and sign that.',
    ])

    const none = await browser.submit(PATH, formOf('message', { address: 'my wallet', chain: String(CHAIN) }))
    expect(none.statusCode).toBe(400)
    expect(fieldsOfForm(none, 'message').address).toBe('my wallet')
    expect(fieldsOfForm(none, 'link')).toMatchObject({ message: '', signature: '' })
  })

  it('offers networks on which the service takes payments', async () => {
    const page = await browser.open(PATH)
    expect(page.body).toContain('<option value="84532"')
    expect(page.body).not.toContain('<option value="1"')
    expect((await browser.submit(PATH, formOf('message', { address: keyOf(1).address, chain: '1' }))).statusCode).toBe(
      400,
    )
  })

  it('touches no wallet of another account', async () => {
    const other = await signUp(test.app)
    const theirs = await linkWallet(test.app, keyOf(5), { ...other.headers }, { issuedAt: now.toISOString() })
    const body = { account_wallet_id: theirs, network: NETWORK }
    const { id } = (await other.post('/manage/payouts', body)).json()
    const forms = [
      formOf('choose', { wallet: theirs }),
      formOf('remove', { wallet: theirs }),
      formOf('stop', { payout: String(id) }),
    ]
    for (const form of forms) expect((await browser.submit(PATH, form)).statusCode).toBe(404)
    expect(await test.storage.read.payouts?.addressesOf(other.account.id)).toEqual({ [NETWORK]: keyOf(5).address })
  })

  it('states who gets card money, and the commission of the operator', async () => {
    const { body: said } = await browser.open(PATH)
    expect(said).toContain('This service takes no cards.')
    expect(said).toContain('commission is <bdi>10%</bdi> of each sale')
  })

  it('states that no wallets can be added where none can be linked', async () => {
    const bare = await createTestApp({})
    const there = await browserOf(bare.app, await signUp(bare.app))
    const page = await there.open(PATH)
    expect(sentencesOf(page)).toContain('No wallets can be added on this service.')
    expect([...actionsOn(page)]).toEqual([])
    await bare.close()
  })
})
