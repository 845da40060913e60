import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { field, fileOf, upload } from '../support/files.ts'

const KILOBYTE = 1_024
const body = (kilobytes: number) => 'x'.repeat(kilobytes * KILOBYTE)

let app: TestApp
let close: () => Promise<void>
beforeAll(async () => {
  ;({ app, close } = await createTestApp({ limits: { plans: { community: { limits: { maxStorageMb: 1 } } } } }))
})
afterAll(() => close())

const usedMb = async (writer: Writer): Promise<number> => (await writer.getJson('/manage/limits')).usage.storage_mb

describe('the storage of an account', () => {
  it('counts pages and each of their versions, and refuses what does not fit without a trace', async () => {
    const ada = await createWriter(app)
    const page = await ada.newPage({ body: body(300) })
    for (const kilobytes of [301, 302]) {
      expect((await ada.putPage(page.id, { body: body(kilobytes) })).statusCode).toBe(200)
    }
    const used = await usedMb(ada)
    expect(used).toBeGreaterThan(903 / KILOBYTE - 0.01)

    const refused = await ada.putPage(page.id, { body: body(303) })
    expect([refused.statusCode, codeOf(refused)]).toEqual([409, 'file_quota_reached'])
    expect(refused.json().error.details).toEqual({ max_storage_mb: 1 })
    expect(codeOf(await ada.postPage({ title: 'Another', body: body(300) }))).toBe('file_quota_reached')
    expect(await ada.getJson(`/manage/pages/${page.id}`)).toMatchObject({ version: 3, body: body(302) })
    expect(await usedMb(ada)).toBe(used)

    await ada.delete(`/manage/pages/${page.id}`)
    expect(await usedMb(ada)).toBe(0)
    expect((await ada.postPage({ body: body(300) })).statusCode).toBe(201)
  })

  it('is shared by pages, files and gate configurations', async () => {
    const ada = await createWriter(app)
    await ada.newPage({ body: body(1_020) })
    const { username } = ada.account
    const sent = await upload(app, [field('username', username), fileOf(body(10))], ada.headers)
    expect(codeOf(sent)).toBe('file_quota_reached')
    const did = `did:web:profiles.example:u:${username}`
    const open = { requirements: [], access: Array.from({ length: 100 }, (_, at) => `content.${'a'.repeat(90)}${at}`) }
    const gate = { default_tier: 'open', tiers: { open } }
    expect(codeOf(await ada.put(`/eep/gates/${did}`, gate))).toBe('file_quota_reached')
    expect((await ada.getJson(`/eep/gates/${did}`)).tiers).not.toHaveProperty('open')
  })

  it('does not grow by automatic saves that are joined, and lets a full account make its pages smaller by one', async () => {
    const ada = await createWriter(app)
    const page = await ada.newPage({ body: body(400) })
    for (let save = 0; save < 5; save++) {
      expect((await ada.putPage(page.id, { body: body(500 + save), autosave: true })).statusCode).toBe(200)
    }
    expect(codeOf(await ada.putPage(page.id, { body: body(700), autosave: true }))).toBe('file_quota_reached')
    expect((await ada.putPage(page.id, { body: 'short', autosave: true })).statusCode).toBe(200)
  })

  it('takes concurrent saves in different profiles only as far as they fit', async () => {
    const ada = await createWriter(app)
    const place = await ada.post('/profiles', { profile_type: 'place', username: `${ada.account.username}-hq` })
    const profiles = [ada.profileId, place.json().id as number]
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        ada.postPage({ profile_id: profiles[at % 2], title: `Page ${at}`, body: body(300) }),
      ),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(3)
    expect(await usedMb(ada)).toBeLessThan(1)
  })
})
