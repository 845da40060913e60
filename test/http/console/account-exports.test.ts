import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { PASSWORD, type Person, signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { browserOf, fieldsOfForm, formOf, roleIn } from '../../support/console.ts'
import { hiddenFieldsOf, leadsTo } from '../../support/pages.ts'

const PATH = '/account/exports'

let now = new Date()
let test: Awaited<ReturnType<typeof createTestApp>>
let person: Person
let browser: Awaited<ReturnType<typeof browserOf>>

beforeAll(async () => {
  test = await createTestApp({ clock: () => now })
})
afterAll(() => test.close())
beforeEach(async () => {
  now = new Date()
  person = await signUp(test.app)
  browser = await browserOf(test.app, person)
})

const start = (fields: Record<string, string> = { format: 'json' }) => formOf('start', fields)
const exportsOf = async (of = person) => (await of.get('/export')).json().data

/** The form that downloads an export, once it is ready. */
const downloadForm = () =>
  vi.waitFor(async () => fieldsOfForm(await browser.open(PATH), 'download'), { timeout: 30_000, interval: 200 })

describe('the screen with the exports of an account', () => {
  it('starts an export once, lists it, and downloads it', async () => {
    expect((await browser.open(PATH)).body).toContain('You have not exported your account yet.')
    const sent = start()
    expect(leadsTo(await browser.submit(PATH, sent))).toEqual([303, PATH])
    expect(roleIn(await browser.open(PATH), 'status')).toBe('The export was requested.')
    expect(leadsTo(await browser.submit(PATH, sent))).toEqual([303, PATH])
    expect(await exportsOf()).toMatchObject([{ profile_id: null, format: 'json' }])

    const [status, address] = leadsTo(await browser.submit(PATH, await downloadForm()))
    expect(status).toBe(303)
    const archive = await browser.open(String(address))
    expect(archive.statusCode).toBe(200)
    expect(archive.body).toContain(person.account.email)
  })

  it('lists no exports of profiles, which have their own screen', async () => {
    const { active_profile_id: id } = person.account
    await person.post('/export', { profile_id: id, format: 'json' })
    expect(await exportsOf()).toHaveLength(1)
    expect((await browser.open(PATH)).body).toContain('You have not exported your account yet.')
  })

  it('asks an older session for a proof before it starts and before it downloads', async () => {
    await browser.submit(PATH, start())
    const form = await downloadForm()
    now = new Date(now.getTime() + 600_001)
    expect((await browser.submit(PATH, start())).statusCode).toBe(403)
    expect(await exportsOf()).toHaveLength(1)
    const asked = await browser.submit(PATH, form)
    expect([asked.statusCode, asked.headers.location]).toEqual([403, undefined])
    const [status, address] = leadsTo(
      await browser.submit(PATH, { ...hiddenFieldsOf(asked), proof_password: PASSWORD }),
    )
    expect([status, (await browser.open(String(address))).statusCode]).toEqual([303, 200])
  })

  it('downloads no export of another account, and none that has expired', async () => {
    await browser.submit(PATH, start())
    const form = await downloadForm()
    const stranger = await browserOf(test.app, await signUp(test.app))
    const { do: action, export: id = '' } = form
    const refused = await stranger.submit(PATH, formOf(String(action), { export: id }))
    expect([refused.statusCode, refused.headers.location]).toEqual([404, undefined])

    now = new Date(now.getTime() + 86_400_001)
    const asked = await browser.submit(PATH, form)
    const expired = await browser.submit(PATH, { ...hiddenFieldsOf(asked), proof_password: PASSWORD })
    expect([expired.statusCode, roleIn(expired, 'alert')]).toEqual([
      404,
      'This export is not available any more. Start another one.',
    ])
  })

  it('refuses a format that does not exist', async () => {
    expect((await browser.submit(PATH, start({ format: 'tar' }))).statusCode).toBe(400)
    expect(await exportsOf()).toEqual([])
  })
})
