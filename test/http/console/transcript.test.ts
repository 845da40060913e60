import { transcriptionRefused } from '@eep/core/ports'
import { wavOf } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { actionsOn, browserOf, browserOfMember, formOf, roleIn } from '../../support/console.ts'
import { createWriter } from '../../support/content.ts'
import { field, fileOf, upload } from '../../support/files.ts'
import { createTranscriber } from '../../support/media.ts'
import { leadsTo } from '../../support/pages.ts'

const transcriber = createTranscriber()
let test: Awaited<ReturnType<typeof createTestApp>>
let ada: Awaited<ReturnType<typeof createWriter>>
let owner: Awaited<ReturnType<typeof browserOf>>

beforeAll(async () => {
  test = await createTestApp({ media: { transcriber } })
  ada = await createWriter(test.app, 'voice-ada')
  owner = await browserOf(test.app, ada)
})
afterAll(() => test.close())

async function newFile(content: string | Buffer, filename: string): Promise<string> {
  const response = await upload(test.app, [field('username', 'voice-ada'), fileOf(content, filename)], ada.headers)
  expect(response.statusCode, response.body).toBe(200)
  return `/manage/profiles/${ada.profileId}/files/${response.json().id}`
}

describe('the screen with the transcript of a file', () => {
  it('creates a transcript, shows its progress, and then its text', async () => {
    const own = await newFile(wavOf(3), 'talk.wav')
    const path = `${own}/transcript`
    expect((await owner.open(own)).body).toContain(`href="${path}"`)
    expect((await owner.open(path)).body).toContain('There is no transcript yet.')
    const held = transcriber.hold()
    expect(leadsTo(await owner.submit(path, formOf('make', { language: '' })))).toEqual([303, path])
    await held.started
    const running = await owner.open(path)
    expect(running.body).toContain('<progress data-job')
    expect(actionsOn(running).has('make')).toBe(false)
    held.release()
    await vi.waitFor(async () => expect((await owner.open(path)).body).toContain('Create it again'), {
      timeout: 20_000,
    })
  })

  it('states why the last transcript failed, and that a language is not one', async () => {
    const path = `${await newFile(wavOf(4), 'noise.wav')}/transcript`
    const wrong = await owner.submit(path, formOf('make', { language: 'not a language' }))
    expect(wrong.statusCode).toBe(400)
    transcriber.next(() => Promise.reject(transcriptionRefused({ message: 'Too much noise' })))
    expect(leadsTo(await owner.submit(path, formOf('make', { language: 'de' })))).toEqual([303, path])
    const says = async () =>
      expect((await owner.open(path)).body).toContain('The last transcript failed: <bdi>Too much')
    await vi.waitFor(says, { timeout: 20_000 })
    expect(wrong.body).toMatch(/Use a language such as en or pt-BR[\s\S]*value="not a language"/)
  })

  it('does not exist for a text, and offers a viewer no button', async () => {
    const text = await newFile('Hello', 'notes.txt')
    expect((await owner.open(text)).body).not.toContain('/transcript')
    expect((await owner.open(`${text}/transcript`)).statusCode).toBe(404)
    const path = `${await newFile(wavOf(2), 'again.wav')}/transcript`
    const profile = {
      owner: ada,
      id: ada.profileId,
      username: 'voice-ada',
      path: '/profiles/u/voice-ada',
      team: `/profiles/${ada.profileId}/team`,
    }
    const viewer = await browserOfMember(test.app, profile, 'viewer')
    const page = await viewer.open(path)
    expect([page.statusCode, [...actionsOn(page)]]).toEqual([200, []])
    expect((await viewer.submit(path, formOf('make', { language: '' }))).statusCode).toBe(403)
    expect(roleIn(page, 'alert')).toBeUndefined()
  })
})
