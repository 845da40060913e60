import { newSpend, newSubscription } from '@eep/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, proveAddress, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { createTestApp } from '../support/app.ts'
import { downloaded, exported, jsonOf, type Members, unzip } from '../support/archives.ts'
import { client } from '../support/client.ts'
import { connectApp } from '../support/connected-app.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { OPEN_FEED } from '../support/feed.ts'
import { newMember, newOrganization, type OwnedProfile } from '../support/teams.ts'
import { createReceivers, didOf, subscribe } from '../support/webhooks.ts'

const receiver = createReceivers()
let test: Awaited<ReturnType<typeof createTestApp>>
let author: Writer
let org: OwnedProfile
let member: Person

/** An editor of a team, who reads another profile. */
beforeAll(async () => {
  test = await createTestApp({ http: { allowPrivateHosts: ['127.0.0.1'] }, ...OPEN_FEED })
  author = await createWriter(test.app, 'ada')
  org = await newOrganization(test.app)
  member = await newMember(test.app, org, 'editor')
})
afterAll(() => test.close())

const exportOf = async (person: Person): Promise<Members> =>
  unzip(await downloaded(test.app, person, { account: true }))

it('hides exports and their addresses from API keys', async () => {
  const { id, result } = await exported(test.app, member, { account: true })
  expect(result?.url).toMatch(/^https:/)
  const scopes = ['read:content', 'write:content']
  const { headers } = await newKey(test.app, member.headers, { scopes })
  const listed = (await client(test.app).get('/jobs?kind=export', headers)).json()
  expect([listed.data, listed.pagination.total]).toEqual([[], 0])
  expect((await client(test.app).get(`/jobs/${id}`, headers)).statusCode).toBe(404)
  expect((await client(test.app).send('DELETE', `/jobs/${id}`, undefined, headers)).statusCode).toBe(404)
})

it('exports the pages that the account liked or bookmarked, without those that are hidden from it', async () => {
  const [shown, hidden] = [
    await author.newPage({ title: 'Engines', body: 'On engines.', status: 'published' }),
    await author.newPage({ title: 'Looms', body: 'On looms.', status: 'published' }),
  ]
  for (const { id } of [shown, hidden]) await member.post(`/content/pages/${id}/reactions`, { kind: 'bookmark' })
  await member.post(`/content/pages/${shown.id}/reactions`, { kind: 'like' })
  await author.putPage(hidden.id, { status: 'archived' })

  const page = { page_id: shown.id, title: 'Engines', url: 'https://profiles.example/u/ada/content/engines' }
  expect(jsonOf(await exportOf(member), 'reactions.json')).toEqual([
    { kind: 'like', ...page, reacted_at: expect.any(String) },
    { kind: 'bookmark', ...page, reacted_at: expect.any(String) },
  ])
})

it('exports the apps that the account connected, without their tokens', async () => {
  const person = await signUp(test.app)
  const now = new Date()
  const token = await connectApp(test.storage, person.account.id, now)
  const receipt = { receiptId: 'receipt-1', spender: 'app', name: 'Assistant', host: null, createdAt: now }
  await test.storage.transaction(async (tx) => {
    await tx.appSpending?.reserveSpend(newSpend(person.account.id, { spender: 'app', at: now }))
    await tx.appSpending?.addReceipt({ ...receipt, accountId: person.account.id })
  })
  const members = await exportOf(person)
  expect(jsonOf(members, 'apps.json')).toEqual({
    connections: [expect.objectContaining({ name: 'Assistant', reach: 'all', ended_at: null, end_reason: null })],
    spending: [{ spender: 'app', currency: 'usd', month: `${now.toISOString().slice(0, 7)}-01`, amount: 1_000_000 }],
    receipts: [{ receipt_id: 'receipt-1', name: 'Assistant', host: null, created_at: now.toISOString() }],
  })
  const found = await test.storage.read.connectedApps?.getByAccessHash(token, now)
  expect(JSON.stringify(jsonOf(members, 'apps.json'))).not.toContain(found?.connection.seed ?? token)
})

it('exports the posts that the account likes, without their texts', async () => {
  const posted = await author.post('/feed', { body: 'Looms are engines.' })
  expect(posted.statusCode, posted.body).toBe(201)
  const { id } = posted.json()
  await member.post(`/feed/${id}/reactions`)
  const members = await exportOf(member)
  expect(jsonOf(members, 'feed-likes.json')).toEqual([
    { post_id: id, url: `https://profiles.example/feed/posts/${id}`, liked_at: expect.any(String) },
  ])
  expect([...members.values()].join('\n')).not.toContain('Looms are engines.')
})

it('exports the teams that the account is a member of, with its role', async () => {
  expect(jsonOf(await exportOf(member), 'teams.json')).toMatchObject([
    { profile_id: org.id, did: didOf(org), role: 'editor' },
  ])
  expect(jsonOf(await exportOf(org.owner), 'teams.json')).toEqual([])
})

it('exports the transfers of an account, without the name of the other account', async () => {
  const other = await newOrganization(test.app)
  const recipient = await signUp(test.app)
  const { username } = recipient.account
  await other.owner.post(`/profiles/${other.id}/transfers`, { recipient_username: username })
  const members = await exportOf(other.owner)
  expect(jsonOf(members, 'transfers.json')).toMatchObject([
    { profile: { id: other.id }, direction: 'outgoing', state: 'pending' },
  ])
  expect([...members.values()].join('\n')).not.toContain(username)
})

it('exports the notification preferences of an account', async () => {
  const [{ kind }] = (await member.get('/notifications/preferences')).json().preferences
  await member.put('/notifications/preferences', { preferences: [{ kind, in_app: false, email: null }] })
  expect(jsonOf(await exportOf(member), 'notification-preferences.json')).toEqual([
    { kind, in_app: false, email: null },
  ])
})

it('exports the webhooks of an account without their secrets', async () => {
  const person = await signUp(test.app)
  await proveAddress(test, person)
  const { id, delivery_secret: secret } = await subscribe(person, org, await receiver())
  const members = await exportOf(person)
  expect(jsonOf(members, 'webhooks.json')).toMatchObject([{ subscription_id: id, source_did: didOf(org) }])
  expect(secret.length).toBeGreaterThan(16)
  expect([...members.values()].join('\n')).not.toContain(secret)
})

it('exports the subscription of an account', async () => {
  expect(jsonOf(await exportOf(member), 'subscription.json')).toBeNull()
  await test.storage.transaction((tx) => tx.subscriptions.put(newSubscription(member.account.id)))
  expect(jsonOf(await exportOf(member), 'subscription.json')).toMatchObject({ status: 'active' })
})
