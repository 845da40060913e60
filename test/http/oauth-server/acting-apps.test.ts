import { eraseAccount } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Person, signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { type Client, client } from '../../support/client.ts'
import { browserOf } from '../../support/console.ts'
import { createWriter, type Writer } from '../../support/content.ts'
import { NEGOTIATIONS, price } from '../../support/deals.ts'
import { bearer, connect } from '../../support/oauth-server.ts'
import { join } from '../../support/teams.ts'
import { LONG } from '../../support/wait.ts'

let service: Awaited<ReturnType<typeof createTestApp>>
let ada: Writer

const SCOPES = ['read:content', 'write:content', 'commerce:negotiate']
const CLAUDE = { name: 'Claude <b>', host: 'claude.example' }
const SHOWN = '<bdi>Claude &lt;b&gt; (claude.example)</bdi>'

beforeAll(async () => {
  service = await createTestApp()
  ada = await createWriter(service.app, 'ada')
})
afterAll(() => service.close())

/** A client of an app that a person connected. */
async function appOf(person: Pick<Person, 'account'>): Promise<Client> {
  const { access_token: token } = await connect(service, person, { ...CLAUDE, scopes: SCOPES })
  return client(service.app, bearer(token))
}

const memberOf = async (profile: Writer, role: 'editor' | 'admin') => {
  const member = await signUp(service.app)
  await join({ id: profile.profileId, owner: profile, team: `/profiles/${profile.profileId}/team` }, member, role)
  return member
}

const versionsOf = async (id: number): Promise<{ version: number; created_by: string; via: unknown }[]> =>
  (await ada.getJson(`/manage/pages/${id}/versions`)).data

/** Offers a seller a deal. */
const offer = (buyer: Pick<Client, 'post'>, seller: Person) =>
  buyer.post(NEGOTIATIONS, {
    seller_did: `did:web:profiles.example:u:${seller.account.username}`,
    service: 'Advice',
    pricing: price(90),
  })

describe('what an app writes', () => {
  it('is kept in the versions of pages with the name and host of the app, and what the person writes without', async () => {
    const app = await appOf(ada)
    const made = await app.post('/manage/pages', { profile_id: ada.profileId, title: 'By an app', body: 'one' })
    expect(made.statusCode, made.body).toBe(201)
    const { id } = made.json<{ id: number }>()
    expect((await app.put(`/manage/pages/${id}`, { body: 'two' })).statusCode).toBe(200)
    await ada.putPage(id, { body: 'three' })
    expect((await app.post(`/manage/pages/${id}/versions/1/restore`)).statusCode).toBe(200)
    expect((await versionsOf(id)).map(({ version, via }) => [version, via])).toEqual([
      [4, CLAUDE],
      [3, null],
      [2, CLAUDE],
      [1, CLAUDE],
    ])
    expect(await ada.getJson(`/manage/pages/${id}/versions/2`)).toMatchObject({
      via: CLAUDE,
      created_by: ada.account.id,
    })

    const browser = await browserOf(service.app, ada)
    const screen = await browser.open(`/manage/profiles/${ada.profileId}/pages/${id}/versions`)
    expect(screen.body.split(`by ${SHOWN}`)).toHaveLength(4)
    expect(screen.body).not.toContain('Claude <b>')
  })

  it('does not replace what the person saved automatically a moment before, nor the reverse', async () => {
    const app = await appOf(ada)
    const { id } = await ada.newPage({ status: 'draft', body: 'one' })
    const autosave = { autosave: true }
    await ada.putPage(id, { body: 'two', ...autosave })
    await app.put(`/manage/pages/${id}`, { body: 'three', ...autosave })
    await app.put(`/manage/pages/${id}`, { body: 'four', ...autosave })
    await ada.putPage(id, { body: 'five', ...autosave })
    expect((await versionsOf(id)).map(({ version, via }) => [version, via])).toEqual([
      [5, null],
      [4, CLAUDE],
      [2, null],
      [1, null],
    ])
  })

  it('names the app in the audit log, which verifies with it, and in notifications', async () => {
    const [buyer, seller] = [await signUp(service.app), await signUp(service.app)]
    const made = await offer(await appOf(buyer), seller)
    expect(made.statusCode, made.body).toBe(201)
    await offer(buyer, seller)
    const entries = await vi.waitFor(async () => {
      const log = (await seller.get('/eep/audit-log?sort=asc')).json()
      expect(log.total).toBe(2)
      return log.entries
    }, LONG)
    expect(entries.map(({ metadata }: { metadata: { via?: unknown } }) => metadata.via)).toEqual([CLAUDE, undefined])
    expect(entries[0].metadata.chain.via_digest).toMatch(/^[0-9a-f]{64}$/)
    expect(entries[1].metadata.chain).not.toHaveProperty('via_digest')
    expect((await seller.get('/eep/audit-log/verify')).json()).toMatchObject({ ok: true, count: 2 })

    const { active_profile_id: profileId } = seller.account
    const notices = await vi.waitFor(async () => {
      const { data } = (await seller.get(`/notifications?profile_id=${profileId}`)).json()
      expect(data).toHaveLength(2)
      return data.toReversed()
    }, LONG)
    expect(notices.map(({ via }: { via: unknown }) => via)).toEqual([CLAUDE, null])
    expect(notices[0].body.at(-1)).toBe('This was done by the app Claude <b> (claude.example).')
    expect(notices[1].body.join()).not.toContain('the app')

    const browser = await browserOf(service.app, seller)
    const log = await browser.open(`/manage/profiles/${profileId}/audit-log`)
    expect(log.body.split(`by ${SHOWN}`)).toHaveLength(2)
    expect((await browser.open('/account/notifications')).body).toContain(`This was done by the app ${SHOWN}.`)
  })

  it('loses the app with the account that acted, and keeps the rest', async () => {
    const member = await memberOf(ada, 'editor')
    const seller = await signUp(service.app)
    const app = await appOf(member)
    const { id } = await ada.newPage({ body: 'one' })
    expect((await app.put(`/manage/pages/${id}`, { body: 'two' })).statusCode).toBe(200)
    expect((await offer(app, seller)).statusCode).toBe(201)
    const log = async () => (await seller.get('/eep/audit-log')).json().entries[0]
    await vi.waitFor(async () => expect((await log())?.metadata.via).toEqual(CLAUDE), LONG)

    await service.storage.transaction((tx) => eraseAccount(tx, member.account.id))
    expect((await versionsOf(id))[0]).toMatchObject({ version: 2, via: null })
    expect(JSON.stringify(await log())).not.toContain('Claude')
    expect((await log()).metadata.chain).toMatchObject({ via_digest: expect.any(String), via_salt: null })
    expect((await seller.get('/eep/audit-log/verify')).json()).toMatchObject({ ok: true, count: 1 })
  })
})
