import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { me, PASSWORD, type Person, signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { browserOf, fieldsOfForm, formOf, roleIn } from '../../support/console.ts'
import { leadsTo, openBrowser, sentencesOf } from '../../support/pages.ts'

const PATH = '/account/sessions'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let now = new Date()
let test: Awaited<ReturnType<typeof createTestApp>>
let person: Person
let browser: Awaited<ReturnType<typeof browserOf>>

beforeAll(async () => {
  test = await createTestApp({ clock: () => now })
})
afterAll(() => test.close())
beforeEach(async () => {
  person = await signUp(test.app)
  browser = await browserOf(test.app, person)
})

const sessionsOf = async (of: Person): Promise<readonly { id: string; user_agent: string | null }[]> =>
  (await of.get('/auth/sessions')).json().data

/** Another browser of the person, which names itself. */
async function firefox() {
  const tab = openBrowser(test.app, { 'user-agent': FIREFOX })
  await tab.submit('/login', { email: person.account.email, password: PASSWORD })
  return tab
}

describe('the screen with sessions', () => {
  it('names the device of each session, and marks this one', async () => {
    const other = await firefox()
    const page = await other.open(PATH)
    const [, mine = ''] =
      /<strong>([^<]*)<\/strong> <span class="tag ok">this device<\/span>/.exec(sentencesOf(page)) ?? []
    expect(mine).toBe('Firefox on Linux')
    expect(page.body.match(/this device/g)).toHaveLength(1)
    // This one is ended by signing out; the other two have a button.
    expect(page.body.match(/name="do" value="end"/g)).toHaveLength(2)
  })

  it('signs out one device, and states when it was gone already', async () => {
    const other = await firefox()
    const named = (await sessionsOf(person)).find(({ user_agent }) => user_agent === 'Firefox on Linux')
    const form = () => formOf('end', { session: named?.id ?? '' })
    expect(leadsTo(await browser.submit(PATH, form()))).toEqual([303, PATH])
    expect(roleIn(await browser.open(PATH), 'status')).toBe('That session has ended.')
    expect((await other.open(PATH)).statusCode).toBe(303)
    const again = await browser.submit(PATH, form())
    expect([again.statusCode, roleIn(again, 'alert')]).toEqual([404, 'This session has already ended.'])
  })

  it('signs out everywhere else, once', async () => {
    const other = await firefox()
    const form = fieldsOfForm(await browser.open(PATH), 'endOthers')
    expect(leadsTo(await browser.submit(PATH, form))).toEqual([303, PATH])
    const page = await browser.open(PATH)
    expect(roleIn(page, 'status')).toBe('You are signed out everywhere else.')
    expect(page.body).toContain('You are signed in on this device only.')
    expect(page.body).not.toContain('value="endOthers"')
    expect([(await other.open(PATH)).statusCode, (await me(test.app, person.headers)).statusCode]).toEqual([303, 401])

    const later = await firefox()
    expect(leadsTo(await browser.submit(PATH, form))).toEqual([303, PATH])
    expect((await later.open(PATH)).statusCode).toBe(200)
  })

  it('clears the cookie when this session is ended by hand', async () => {
    const ids = (await sessionsOf(person)).map(({ id }) => id)
    const current = (
      await test.app.inject({
        url: '/auth/sessions',
        headers: { cookie: `__Host-eep_session=${browser.jar['__Host-eep_session']}` },
      })
    )
      .json()
      .data.find((each: { current: boolean }) => each.current).id
    expect(ids).toContain(current)
    const ended = await browser.submit(PATH, formOf('end', { session: current }))
    expect(leadsTo(ended)).toEqual([303, '/'])
    expect(browser.jar['__Host-eep_session']).toBe('')
    expect((await browser.open(PATH)).statusCode).toBe(303)
  })

  it('ends no session of another account', async () => {
    const other = await signUp(test.app)
    const [theirs] = await sessionsOf(other)
    expect((await browser.submit(PATH, formOf('end', { session: theirs?.id ?? '' }))).statusCode).toBe(404)
    expect((await me(test.app, other.headers)).statusCode).toBe(200)
  })

  it('asks for no proof, and pages a long list', async () => {
    for (let count = 0; count < 31; count++) await firefox()
    now = new Date(now.getTime() + 600_001)
    const page = await browser.open(PATH)
    const next = /<a rel="next" href="([^"]+)">/.exec(page.body)?.[1] ?? ''
    const older = await browser.open(next.replaceAll('&amp;', '&'))
    expect([page, older].map(({ body }) => body.match(/<th scope="row">/g)?.length)).toEqual([30, 3])
    expect((await browser.open(`${PATH}?cursor=x`)).statusCode).toBe(400)
    expect(leadsTo(await browser.submit(PATH, formOf('endOthers')))).toEqual([303, PATH])
    expect((await browser.open(PATH)).body).toContain('on this device only')
  })
})
