import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { browserOf, fieldsOfForm, formOf, roleIn } from '../../support/console.ts'
import { leadsTo, sentencesOf } from '../../support/pages.ts'

const PATH = '/account/notification-settings'

interface Preference {
  readonly kind: string
  readonly in_app: boolean
  readonly email: string | null
}

let test: Awaited<ReturnType<typeof createTestApp>>
let person: Person
let browser: Awaited<ReturnType<typeof browserOf>>

beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())
beforeEach(async () => {
  person = await signUp(test.app)
  browser = await browserOf(test.app, person)
})

const preferences = async (of = person): Promise<readonly Preference[]> =>
  (await of.get('/notifications/preferences')).json().preferences

/** Sends the form with a box that is ticked for these kinds. */
const save = (here: readonly string[], fields: Record<string, string>) =>
  browser.submit(PATH, { ...fields, ...(here[0] !== undefined && { here: here[0] }) })

describe('the screen with the settings of notifications', () => {
  it('shows every kind in words, with what the account gets', async () => {
    const page = sentencesOf(await browser.open(PATH))
    for (const { kind, email } of await preferences()) {
      expect(page, kind).toContain(`name="here" value="${kind}" checked`)
      expect(page.includes(`name="email_${kind}"`), kind).toBe(email !== null)
    }
    expect(page).toContain('Replies to your posts')
    expect(page).toContain('<option value="daily" selected>once a day</option>')
  })

  it('saves what was chosen, and leaves what was not changed', async () => {
    const fields = fieldsOfForm(await browser.open(PATH), 'save')
    const before = await preferences()
    const sent = { ...fields, email_reply: 'off' }
    expect(leadsTo(await save(['follow'], sent))).toEqual([303, PATH])
    expect(roleIn(await browser.open(PATH), 'status')).toBe('The settings are saved.')
    const after = await preferences()
    expect(after.filter(({ in_app }) => in_app).map(({ kind }) => kind)).toEqual(['follow'])
    expect(after.find(({ kind }) => kind === 'reply')?.email).toBe('off')
    const others = (all: readonly Preference[]) =>
      all.filter(({ kind }) => kind !== 'reply').map(({ kind, email }) => [kind, email])
    expect(others(after)).toEqual(others(before))
  })

  it.each([{ email_reply: 'hourly' }, { here: 'unknown_kind' }])(
    'refuses %j and keeps what was chosen',
    async (wrong) => {
      const fields = fieldsOfForm(await browser.open(PATH), 'save')
      const before = await preferences()
      const refused = await browser.submit(PATH, { ...fields, email_sale: 'daily', ...wrong })
      expect(refused.statusCode).toBe(400)
      expect(/name="email_sale">.*?<\/select>/.exec(refused.body)?.[0]).toContain('value="daily" selected')
      expect(await preferences()).toEqual(before)
    },
  )

  it('changes nothing of another account', async () => {
    const other = await signUp(test.app)
    const before = await preferences(other)
    await browser.submit(PATH, { ...fieldsOfForm(await browser.open(PATH), 'save'), ...formOf('save'), here: 'follow' })
    expect(await preferences(other)).toEqual(before)
  })
})
