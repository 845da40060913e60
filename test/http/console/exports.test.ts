import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { browserOf, browserOfMember, fieldsOfForm, formOf, roleIn } from '../../support/console.ts'
import { createWriter } from '../../support/content.ts'
import { leadsTo } from '../../support/pages.ts'

let test: Awaited<ReturnType<typeof createTestApp>>
let ada: Awaited<ReturnType<typeof createWriter>>
let owner: Awaited<ReturnType<typeof browserOf>>
let path: string

beforeAll(async () => {
  test = await createTestApp()
  ada = await createWriter(test.app, 'exports-ada')
  owner = await browserOf(test.app, ada)
  path = `/manage/profiles/${ada.profileId}/exports`
})
afterAll(() => test.close())

describe('the screen with the exports of a profile', () => {
  it('starts an export, and offers it for download', async () => {
    expect((await owner.open(path)).body).toContain('You have not exported this profile yet.')
    expect(leadsTo(await owner.submit(path, formOf('start', { format: 'zip' })))).toEqual([303, path])
    expect(roleIn(await owner.open(path), 'status')).toBe('The export was requested.')
    const form = await vi.waitFor(async () => fieldsOfForm(await owner.open(path), 'download'), {
      timeout: 30_000,
      interval: 200,
    })
    const [status, address] = leadsTo(await owner.submit(path, form))
    expect(status).toBe(303)
    const archive = await test.app.inject(String(address))
    expect([archive.statusCode, archive.rawPayload.subarray(0, 2).toString()]).toEqual([200, 'PK'])
  })

  it('refuses a format that does not exist, and people who may not export', async () => {
    expect((await owner.submit(path, formOf('start', { format: 'tar' }))).statusCode).toBe(400)
    const profile = {
      owner: ada,
      id: ada.profileId,
      username: 'exports-ada',
      path: '/profiles/u/exports-ada',
      team: `/profiles/${ada.profileId}/team`,
    }
    const editor = await browserOfMember(test.app, profile, 'editor')
    expect((await editor.open(path)).statusCode).toBe(403)
    expect((await editor.submit(path, formOf('start', { format: 'zip' }))).statusCode).toBe(403)
  })
})
