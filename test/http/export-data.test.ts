import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, type Person, signUp } from '../support/accounts.ts'
import { downloaded, exported, hashOf, imported, jsonOf, type Members, pathOf, unzip } from '../support/archives.ts'
import { client } from '../support/client.ts'
import { OPEN_MESSAGES, openConversation, reply } from '../support/messages.ts'
import { createCashApp, openShop, type Shop } from '../support/shop.ts'
import { newMember, newOrganization } from '../support/teams.ts'
import { newWorkspace, newWorkspaceMember } from '../support/workspaces.ts'

const WALLET = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'

let test: Awaited<ReturnType<typeof createCashApp>>
let shop: Shop
let fan: Person
let receiptId: string

/** A shop that sold a page, has a follower, a post and a listing, and wrote with a buyer. */
beforeAll(async () => {
  test = await createCashApp({ ...OPEN_MESSAGES })
  shop = await openShop(test.app, 'ada')
  fan = await signUp(test.app, 'fan')
  for (const person of [shop, fan])
    await test.storage.transaction((tx) =>
      tx.accounts.save(person.account.id, { emailVerified: true, emailOwned: true }),
    )
  await fan.post('/connections/u/ada')
  await shop.post('/feed', { body: 'New notes are out.' })
  const challenge = await fan.get(shop.paid)
  const paid = await fan.get(
    shop.paid,
    test.cashWallets.answer(challenge.headers['payment-required'], { wallet: WALLET }),
  )
  expect(paid.statusCode).toBe(200)
  receiptId = String((await fan.get('/eep/payment/receipts')).json().data[0].receipt_id)
  const conversation = await openConversation(shop, fan, 'Thank you for reading.')
  await reply(fan, conversation, 'A secret of the fan.')
})
afterAll(() => test.close())

const textOf = (members: Members) => [...members.values()].map(String).join('\n')

describe('the export of a profile', () => {
  const exportShop = async () => unzip(await downloaded(test.app, shop, { profile_id: shop.profileId }))

  it('has its posts, its followers and its sales with their entitlements', async () => {
    const members = await exportShop()
    expect(jsonOf(members, 'feed.json')).toMatchObject([{ body: 'New notes are out.' }])
    expect(jsonOf(members, 'connections.json')).toMatchObject([{ side: 'followers', username: 'fan' }])
    expect(jsonOf(members, `receipts/${receiptId}.json`)).toMatchObject({ receipt_id: receiptId })
    expect(String(members.get('entitlements.csv'))).toContain(receiptId)
  })

  it('has each sale as the PDF that the service sends, and lists it in the manifest', async () => {
    const members = await exportShop()
    const path = `receipts/${receiptId}.pdf`
    const pdf = members.get(path)
    expect(pdf?.subarray(0, 5).toString()).toBe('%PDF-')
    const sent = await shop.get(`/eep/payment/receipts/${receiptId}.pdf`)
    expect(pdf).toEqual(sent.rawPayload)
    const listed: { path: string; sha256: string }[] = jsonOf(members, 'manifest.json').members
    expect(listed).toContainEqual(expect.objectContaining({ path, sha256: hashOf(sent.rawPayload) }))
  })

  it('has sales as JSON alone on a service that renders no PDFs', async () => {
    const plain = await createCashApp({ payments: { receiptPdf: undefined } })
    const seller = await openShop(plain.app, 'ada')
    const buyer = await signUp(plain.app)
    const { headers } = await buyer.get(seller.paid)
    await buyer.get(seller.paid, plain.cashWallets.answer(headers['payment-required']))
    const members = await unzip(await downloaded(plain.app, seller, { profile_id: seller.profileId }))
    await plain.close()
    const receipts = [...members.keys()].filter((path) => path.startsWith('receipts/'))
    expect(receipts).toEqual([expect.stringMatching(/\.json$/)])
  })

  it('has its public events of the last day, and none for its team only', async () => {
    const lines = String((await exportShop()).get('events.ndjson'))
      .trim()
      .split('\n')
    const events = lines.map((line) => JSON.parse(line))
    expect(events.map(({ type }) => type).join(' ')).toMatch(/content\.published.*feed\.posted/)
    const stranger = await signUp(test.app)
    const history = await stranger.get(`/eep/events?source=u/${shop.account.username}&limit=1000`)
    expect(history.statusCode, history.body).toBe(200)
    expect(events).toEqual(history.json().events)
    expect(events.map(({ type }) => type).filter((type) => /agent\.access|message|commerce/.test(type))).toEqual([])
  })

  it('has the messages that it wrote, and not those that others wrote to it', async () => {
    const members = await exportShop()
    const [message, ...more] = jsonOf(members, 'messages.json')
    expect(message).toMatchObject({ body: 'Thank you for reading.', seq: 1 })
    expect(message.to).toMatch(/:u:fan$/)
    expect(more).toEqual([])
    expect(textOf(members)).not.toContain('A secret of the fan.')
  })
})

describe('the export of an account', () => {
  const exportAccountOf = async (person: Person) => unzip(await downloaded(test.app, person, { account: true }))

  it('has the account, its sessions and keys without secrets, and what it bought', async () => {
    const members = await exportAccountOf(fan)
    expect(jsonOf(members, 'account.json')).toMatchObject({ username: 'fan', email: fan.account.email })
    expect(jsonOf(members, 'sessions.json')).toHaveLength(1)
    expect(jsonOf(members, 'api-keys.json')).toEqual([])
    expect(jsonOf(members, 'purchases.json')).toMatchObject([{ receipt_id: receiptId }])
    expect(textOf(members)).not.toContain('argon2')
  })

  it('has each profile that it owns in a folder, and none of others', async () => {
    const org = await newOrganization(test.app)
    const admin = await newMember(test.app, org, 'admin')
    const owners = await exportAccountOf(org.owner)
    const admins = await exportAccountOf(admin)
    const profilesIn = (found: Members) =>
      [...found.keys()].filter((path) => path.startsWith('profiles/') && path.endsWith('/profile.json'))
    expect(profilesIn(owners)).toHaveLength(2)
    expect(profilesIn(admins)).toEqual([`profiles/person/${admin.account.username}/profile.json`])
  })

  it('has its workspaces and comments, and the documents of those that it owns, without other members', async () => {
    const workspace = await newWorkspace(test.app)
    const reader = await newWorkspaceMember(test.app, workspace, 'reader')
    const documents = `${workspace.path}/documents`
    const document = (await workspace.owner.post(documents, { title: 'Weaving', body: 'A text of the owner.' })).json()
    await reader.post(`${documents}/${document.id}/comments`, { body: 'Words of the reader.' })
    const owners = await exportAccountOf(workspace.owner)
    expect(jsonOf(owners, 'workspaces.json')).toMatchObject([{ id: workspace.id, role: 'owner' }])
    expect(jsonOf(owners, `workspaces/${workspace.id}/documents.json`)).toEqual([document])
    expect(textOf(owners)).not.toContain('Words of the reader.')
    const readers = await exportAccountOf(reader)
    expect(jsonOf(readers, 'workspaces.json')).toMatchObject([{ id: workspace.id, role: 'reader' }])
    expect(jsonOf(readers, 'workspace-comments.json')).toMatchObject([{ body: 'Words of the reader.' }])
    expect(textOf(readers)).not.toContain('A text of the owner.')
  })

  it('is served under the name of the account until the account is banned', async () => {
    const person = await signUp(test.app)
    const job = await exported(test.app, person, { account: true })
    const path = pathOf(String(job.result?.url))
    const served = await client(test.app).get(path)
    expect(served.headers['content-disposition']).toBe(`attachment; filename="account-${person.account.username}.zip"`)
    await test.storage.transaction((tx) => tx.accounts.save(person.account.id, { bannedAt: new Date() }))
    expect(codeOf(await client(test.app).get(path))).toBe('export_not_found')
  })

  it.each([{}, { account: true, profile_id: 1 }, { account: false }])('refuses %j', async (body) => {
    const refused = await fan.post('/export', body)
    expect([refused.statusCode, codeOf(refused)]).toEqual([400, 'validation_failed'])
  })

  it('is refused by the import, which takes profiles', async () => {
    const archive = await downloaded(test.app, fan, { account: true })
    const job = await imported(test.app, fan, archive)
    expect([job.status, job.error?.code]).toEqual(['failed', 'invalid_archive'])
  })
})
