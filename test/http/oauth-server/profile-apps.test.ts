import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { codeOf, type Person, signUp } from '../../support/accounts.ts'
import { newKey } from '../../support/api-keys.ts'
import { PUBLIC_URL } from '../../support/app.ts'
import { downloaded, imported, jsonOf, unzip } from '../../support/archives.ts'
import { type Client, client } from '../../support/client.ts'
import { browserOf, browserOfMember, formOf } from '../../support/console.ts'
import { mcpClient } from '../../support/mcp.ts'
import { CONVERSATIONS, OPEN_MESSAGES, signUpTrusted } from '../../support/messages.ts'
import { bearer, connect } from '../../support/oauth-server.ts'
import { createCashApp, header, openShop } from '../../support/shop.ts'
import { listen, openStream } from '../../support/streams.ts'
import { newMember, newOrganization, type OwnedProfile } from '../../support/teams.ts'
import { LONG, soon } from '../../support/wait.ts'

let service: Awaited<ReturnType<typeof createCashApp>>
let base: string
let org: OwnedProfile
let member: Person

const RESOURCES = [PUBLIC_URL, `${PUBLIC_URL}/mcp`, `${PUBLIC_URL}/mcp/account`]
const SCOPES = ['read:profiles', 'read:content', 'write:content', 'read:events', 'read:messages', 'read:payments']

beforeAll(async () => {
  service = await createCashApp(OPEN_MESSAGES)
  base = await listen(service.app)
})
afterAll(() => service.close())
beforeEach(async () => {
  org = await newOrganization(service.app, undefined, { visibility: 'private' })
  member = await newMember(service.app, org, 'admin')
})

/** An app that a person connected. */
async function appOf(person: Pick<Person, 'account'>) {
  const { access_token: token } = await connect(service, person, { scopes: SCOPES, resources: RESOURCES })
  return { ...client(service.app, bearer(token)), token }
}

const setting = () => `/manage/profiles/${org.id}/apps`
const choose = async (apps: 'allowed' | 'owner_only') => {
  const answer = await org.owner.put(setting(), { apps })
  expect([answer.statusCode, answer.json()]).toEqual([200, { apps }])
}
const list = (who: Pick<Client, 'get'>) => who.get(`/manage/pages?profile_id=${org.id}`)
const write = (who: Pick<Client, 'post'>) => who.post('/manage/pages', { profile_id: org.id, title: 'Notes', body: '' })

/** What a person or program may do with the profile: read pages, write one, read the profile, and find it among its own. */
async function reachOf(who: Client) {
  const profiles = (await who.get('/dashboard/profiles')).json<{ profiles?: { id: number }[] }>().profiles
  return [
    (await list(who)).statusCode,
    (await write(who)).statusCode,
    (await who.get(`/o/${org.username}?format=json`)).statusCode,
    profiles?.some(({ id }) => id === org.id),
  ]
}
const REACHED = [200, 201, 200, true]

describe('a profile that only apps of its owner reach', () => {
  it('is that of another account for the apps of its members, with the next request, until the owner changes it back', async () => {
    const [app, ofOwner, stranger] = [
      await appOf(member),
      await appOf(org.owner),
      await appOf(await signUp(service.app)),
    ]
    expect((await org.owner.get(setting())).json()).toEqual({ apps: 'allowed' })
    expect([await reachOf(app), await reachOf(ofOwner)]).toEqual([REACHED, REACHED])
    await choose('owner_only')
    const refused = await reachOf(app)
    expect(refused).toEqual(await reachOf(stranger))
    expect(refused).toEqual([404, 404, 404, false])
    expect(await reachOf(ofOwner)).toEqual(REACHED)
    expect(await reachOf(member)).toEqual(REACHED)
    await choose('allowed')
    expect(await reachOf(app)).toEqual(REACHED)
  })

  it('refuses writes like those of other accounts also while it is public, and shows what everyone sees', async () => {
    const app = await appOf(member)
    expect((await org.owner.put(org.path, { visibility: 'public' })).statusCode).toBe(200)
    await choose('owner_only')
    const refused = await write(app)
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'not_profile_owner'])
    expect((await app.get(`/o/${org.username}?format=json`)).statusCode).toBe(200)
    const { profiles } = (await app.get('/auth/me')).json<{ profiles: { id: number }[] }>()
    expect(profiles.map(({ id }) => id)).not.toContain(org.id)
  })

  it('leaves API keys of members alone', async () => {
    const key = await newKey(service.app, member.headers, { scopes: ['read:services', 'write:services'] })
    const offer = () =>
      client(service.app, key.headers).post(`/eep/services/did:web:profiles.example:o:${org.username}`, {
        name: 'An hour of advice',
        category: 'consulting',
        pricing: { model: 'fixed', currency: 'usd', amount: 100 },
        delivery: 'async',
      })
    await choose('owner_only')
    const answer = await offer()
    expect(answer.statusCode, answer.body).toBe(201)
  })

  it('is left out of lists of sales and reactions, which apps of members get', async () => {
    const shop = await openShop(service.app, 'ada')
    org = {
      id: shop.profileId,
      owner: shop,
      username: 'ada',
      path: '/profiles/u/ada',
      team: `/profiles/${shop.profileId}/team`,
    }
    const admin = await newMember(service.app, org, 'admin')
    const [app, ofOwner] = [await appOf(admin), await appOf(shop)]
    const offer = header(await client(service.app).get(shop.paid, { accept: 'application/json' }), 'payment-required')
    const paid = await client(service.app).get(shop.paid, service.cashWallets.answer(offer))
    expect(paid.statusCode).toBe(200)
    const reactions = `/content/pages/${shop.otherId}/reactions`
    expect((await admin.post(reactions, { kind: 'bookmark' })).statusCode).toBe(201)
    expect((await shop.put(org.path, { visibility: 'private' })).statusCode).toBe(200)
    const counts = async (who: Client) => [
      (await who.get('/eep/payment/sales')).json().pagination.total,
      (await who.get('/content/reactions/me?kind=bookmark')).json().pagination.total,
    ]
    await vi.waitFor(async () => expect(await counts(app)).toEqual([1, 1]), LONG)
    await choose('owner_only')
    expect(await counts(app)).toEqual([0, 0])
    expect(await counts(admin)).toEqual([1, 1])
    expect(await counts(ofOwner)).toEqual([1, 0])
  })

  it('refuses the apps of members over MCP as over HTTP', async () => {
    const [app, ofOwner] = [await appOf(member), await appOf(org.owner)]
    const create = (token: string) =>
      mcpClient(service.app, bearer(token), '/mcp/account').call('create_page', {
        profile_id: org.id,
        title: 'By MCP',
        body: '',
      })
    expect((await create(app.token)).isError).not.toBe(true)
    await choose('owner_only')
    const refused = await create(app.token)
    expect([refused.isError, JSON.stringify(refused.content)]).toEqual([
      true,
      expect.stringContaining('profile_not_found'),
    ])
    expect((await create(ofOwner.token)).isError).not.toBe(true)
  })

  it('sends no events of its team to open streams of the apps of members', async () => {
    const sender = await signUpTrusted(service.app, service.storage)
    const [app, ofOwner] = [await appOf(member), await appOf(org.owner)]
    await org.owner.put(org.path, { visibility: 'public', capabilities: ['contactable'] })
    const streams = await Promise.all(
      [app, ofOwner].map(({ token }) => openStream(base, '/eep/stream?types=message.*', bearer(token))),
    )
    const received = () => streams.map((stream) => stream.envelopes().length)
    const send = async () => {
      const sent = await sender.post(CONVERSATIONS, {
        to: `o/${org.username}`,
        body: 'Hello',
      })
      expect(sent.statusCode, sent.body).toBeLessThan(300)
    }
    await send()
    await soon(() => expect(received()).toEqual([1, 1]))
    await choose('owner_only')
    await send()
    await soon(() => expect(received()[1]).toBe(2))
    expect(received()).toEqual([1, 2])
  })
})

describe('the setting which apps reach a profile', () => {
  it('is changed by the owner in person, and read by the team', async () => {
    expect((await member.get(setting())).json()).toEqual({ apps: 'allowed' })
    const refused = await member.put(setting(), { apps: 'owner_only' })
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'not_profile_owner'])
    expect((await (await appOf(org.owner)).put(setting(), { apps: 'owner_only' })).statusCode).toBe(403)
    expect((await (await signUp(service.app)).get(setting())).statusCode).toBe(404)
    expect((await org.owner.put(setting(), { apps: 'none' })).statusCode).toBe(400)
    expect((await org.owner.get(setting())).json()).toEqual({ apps: 'allowed' })
  })

  it('is in the audit log once for each change, and in an export, which restores it', async () => {
    await choose('owner_only')
    await choose('owner_only')
    await choose('allowed')
    await choose('owner_only')
    const entries = await vi.waitFor(async () => {
      const log = (await org.owner.get(`/eep/audit-log?profile=${org.id}&sort=asc`)).json()
      expect(log.total).toBe(3)
      return log.entries
    }, LONG)
    expect(entries.map(({ metadata }: { metadata: { apps: string } }) => metadata.apps)).toEqual([
      'owner_only',
      'allowed',
      'owner_only',
    ])
    const archive = await downloaded(service.app, org.owner, { profile_id: org.id })
    expect(jsonOf(await unzip(archive), 'profile.json')).toMatchObject({ apps: 'owner_only' })
    expect((await org.owner.delete(org.path)).statusCode).toBe(200)
    const job = await imported(service.app, org.owner, archive)
    expect(job.status, JSON.stringify(job.error)).toBe('succeeded')
    const { id } = (await org.owner.get(org.path)).json<{ id: number }>()
    expect(id).not.toBe(org.id)
    expect((await org.owner.get(`/manage/profiles/${id}/apps`)).json()).toEqual({ apps: 'owner_only' })
  })

  it('is chosen on a screen of the console by the owner, which no other member opens', async () => {
    const path = `/manage/profiles/${org.id}/connected-apps`
    const browser = await browserOf(service.app, org.owner)
    expect((await browser.open(path)).body).toMatch(/value="allowed"[^>]* checked/)
    const saved = await browser.submit(path, formOf('save', { apps: 'owner_only' }))
    expect(saved.statusCode, saved.body).toBe(303)
    expect((await browser.open(path)).body).toMatch(/value="owner_only"[^>]* checked/)
    expect((await org.owner.get(setting())).json()).toEqual({ apps: 'owner_only' })
    const other = await browserOfMember(service.app, org, 'admin')
    expect((await other.open(path)).statusCode).toBe(403)
    expect((await other.submit(path, formOf('save', { apps: 'allowed' }))).statusCode).toBe(403)
  })

  it('leaves the profile out of what a member can choose for an app', async () => {
    await choose('owner_only')
    const { access_token: token } = await connect(service, member, { scopes: SCOPES })
    expect(token).toBeDefined()
    const [{ id }] = (await member.get('/account/apps')).json<{ data: [{ id: string }] }>().data
    const refused = await member.put(`/account/apps/${id}`, { profile_id: org.id })
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'app_profile_not_allowed'])
  })
})
