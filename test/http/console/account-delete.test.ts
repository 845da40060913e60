import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { codeOf, me, PASSWORD, type Person, signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { browserOf, formOf, roleIn } from '../../support/console.ts'
import { createMailbox } from '../../support/mailbox.ts'
import { hiddenFieldsOf, inputOf, leadsTo, openBrowser, sentencesOf } from '../../support/pages.ts'

const PATH = '/account/delete'

const box = createMailbox()
let now = new Date('2026-03-01T10:00:00Z')
let test: Awaited<ReturnType<typeof createTestApp>>
let person: Person
let browser: Awaited<ReturnType<typeof browserOf>>

beforeAll(async () => {
  test = await createTestApp({ clock: () => now, email: { mailer: box.mailer } })
})
afterAll(() => test.close())
beforeEach(async () => {
  now = new Date('2026-03-01T10:00:00Z')
  person = await signUp(test.app)
  browser = await browserOf(test.app, person)
})

const form = (name = person.account.username) => formOf('delete', { name })
const isThere = async () => (await me(test.app, person.headers)).statusCode === 200

describe('the screen that deletes an account', () => {
  it('states what happens now and later, until when it can be undone, and where to export first', async () => {
    const page = sentencesOf(await browser.open(PATH))
    expect(page).toContain('It can be restored until March 31, 2026.')
    for (const text of [
      'Your profile is hidden',
      'signed out everywhere',
      'After March 31, 2026',
      'deleted for good',
    ]) {
      expect(page).toContain(text)
    }
    expect(page).toContain('href="/account/exports"')
  })

  it('deletes the account, signs the browser out, and states until when signing in restores it', async () => {
    const left = await browser.submit(PATH, form(`@${person.account.username}`))
    expect(leadsTo(left)).toEqual([303, '/account/deleted?until=2026-03-31T10%3A00%3A00.000Z'])
    expect(browser.jar['__Host-eep_session']).toBe('')
    const page = await browser.open(String(left.headers.location))
    expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'private, no-store'])
    expect(sentencesOf(page)).toContain('Sign in until March 31, 2026, and everything is back.')
    expect(await isThere()).toBe(false)
    expect((await client(test.app).get(`/u/${person.account.username}`)).statusCode).toBe(404)
    await box.take(person.account.email, 'deletion')

    const again = await browserOf(test.app, person)
    expect((await again.open('/account')).statusCode).toBe(200)
    expect((await client(test.app).get(`/u/${person.account.username}`)).statusCode).toBe(200)
    expect(leadsTo(await again.open(String(left.headers.location)))).toEqual([303, '/account'])
  })

  it.each(['', 'someone-else'])('keeps the account when "%s" was typed', async (name) => {
    const refused = await browser.submit(PATH, form(name))
    expect(refused.statusCode).toBe(400)
    expect(refused.body).toContain('id="name-problem">This is not your username.')
    expect(inputOf(refused, 'name')).toContain(`value="${name}"`)
    expect(await isThere()).toBe(true)
  })

  it('asks an older session for a proof, and deletes nothing with a wrong password', async () => {
    now = new Date(now.getTime() + 600_001)
    const asked = await browser.submit(PATH, form())
    expect([asked.statusCode, await isThere()]).toEqual([403, true])
    const wrong = await browser.submit(PATH, { ...hiddenFieldsOf(asked), proof_password: 'Wrong horse 1 battery' })
    expect([wrong.statusCode, roleIn(wrong, 'alert'), await isThere()]).toEqual([401, 'The password is wrong.', true])
    const left = await browser.submit(PATH, { ...hiddenFieldsOf(asked), proof_password: PASSWORD })
    expect([left.statusCode, await isThere()]).toEqual([303, false])
  })

  it('shows the page afterwards without a date when its address names none', async () => {
    for (const query of ['', '?until=tomorrow']) {
      const page = await openBrowser(test.app).open(`/account/deleted${query}`)
      expect([page.statusCode, page.body.includes('the day in the email')]).toEqual([200, true])
    }
  })

  it('leaves the API to a password or a code', async () => {
    const answer = await person.send('DELETE', '/auth/account', { password: 'Wrong horse 1 battery' })
    expect([answer.statusCode, codeOf(answer)]).toEqual([401, 'wrong_password'])
    expect((await person.send('DELETE', '/auth/account', {})).statusCode).toBe(400)
  })
})
