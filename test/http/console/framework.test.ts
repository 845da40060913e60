import {
  actionButton,
  defineError,
  defineModule,
  html,
  type ProfileVisit,
  type Screen,
  screenAction,
  screenForm,
} from '@eep/core/module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeAdministrator, type Person, signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { actionsOn, browserOf, browserOfMember, formOf, roleIn } from '../../support/console.ts'
import { createWriter } from '../../support/content.ts'
import { hiddenFieldsOf, leadsTo, openBrowser } from '../../support/pages.ts'
import { newOrganization, type OwnedProfile } from '../../support/teams.ts'

const REFUSALS = [400, 403, 404, 409, 412, 422, 429] as const
const refusals = REFUSALS.map((status) => defineError(`notes_refused_${status}`, status, 'Not this text'))

const saved: string[] = []
/** The forms that the screen has shown again. */
const shownAgain: unknown[] = []
/** How much later it is, in milliseconds. */
let later = 0
const [reached, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]

const notes: Screen = {
  name: 'notesEdit',
  path: '/manage/profiles/:id/notes',
  section: 'profile',
  permission: 'content.read_drafts',
  nav: { position: 90 },
  title: () => 'Notes of the team',
  said: (outcome) => (outcome === 'saved' ? 'The note was saved.' : undefined),
  post: {
    save: screenAction({
      permission: 'content.edit',
      schema: z.object({ text: z.string().min(1).max(50) }),
      async run({ path }, { text }) {
        const refusal = refusals.find(({ status }) => text === `refuse ${status}`)
        if (refusal) throw refusal()
        if (text === 'fail') throw new Error('a fault')
        if (text === 'wait') {
          reached.resolve()
          await held.promise
        }
        saved.push(text)
        return { to: path, said: 'saved' }
      },
    }),
    look: screenAction({
      schema: z.object({ text: z.string() }),
      run: async (_visit, { text }) => ({ view: { body: html`<p>Looks like ${text}</p>` } }),
    }),
    wipe: screenAction({
      permission: 'profile.delete',
      schema: z.object({}),
      run: async ({ path }) => ({ to: path }),
    }),
  },
  async get(visit) {
    if (visit.entered) shownAgain.push(visit.entered.texts)
    return notesView(visit)
  },
}
const notesView = (visit: ProfileVisit) => ({
  body: html`${screenForm(
    visit,
    { actions: ['save', 'look'] },
    html`<textarea name="text">${visit.entered ? String(visit.entered.texts.text) : ''}</textarea>${actionButton(visit, 'save', 'Save')}${actionButton(visit, 'look', 'Look')}`,
  )}${screenForm(visit, { actions: ['wipe'] }, html`${actionButton(visit, 'wipe', 'Wipe')}`)}`,
})
const desk: Screen = {
  name: 'notesDesk',
  path: '/admin/notes',
  section: 'admin',
  nav: { position: 1 },
  title: () => 'All notes',
  get: async () => ({ body: html`<p>Every note</p>` }),
  post: { wipe: screenAction({ schema: z.object({}), run: async ({ path }) => ({ to: path }) }) },
}
const notesModule = defineModule({ name: 'notes', screens: () => [notes, desk] })

let test: Awaited<ReturnType<typeof createTestApp>>
let profile: OwnedProfile
let owner: Awaited<ReturnType<typeof browserOf>>
let path: string

beforeAll(async () => {
  test = await createTestApp({ modules: [notesModule], clock: () => new Date(Date.now() + later) })
  profile = await newOrganization(test.app)
  owner = await browserOf(test.app, profile.owner)
  path = `/manage/profiles/${profile.id}/notes`
})
afterAll(() => test.close())

describe('a screen of a module of a host', () => {
  it('is in the navigation of the profile, with the other profiles and the account', async () => {
    const page = await owner.open(path)
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain(`<a href="${path}" aria-current="page">Notes of the team</a>`)
    expect(page.body).toContain('<a href="/manage/profiles/new">New profile</a>')
    expect(page.body).toContain(`<title>Notes of the team · ${profile.username}`)
    expect(page.headers['cache-control']).toBe('private, no-store')
    expect(page.headers['x-robots-tag']).toBe('noindex')
  })

  it('states once what a form did', async () => {
    const sent = await owner.submit(path, formOf('save', { text: 'One' }))
    expect(leadsTo(sent)).toEqual([303, path])
    expect(roleIn(await owner.open(path), 'status')).toBe('The note was saved.')
    expect(roleIn(await owner.open(path), 'status')).toBeUndefined()
  })

  it('processes a form once, and answers the second time with the same redirect', async () => {
    const form = formOf('save', { text: 'Twice' })
    const first = await owner.submit(path, form)
    const second = await owner.submit(path, form)
    expect([leadsTo(first), leadsTo(second)]).toEqual([
      [303, path],
      [303, path],
    ])
    expect(saved.filter((text) => text === 'Twice')).toEqual(['Twice'])
  })

  it('asks to wait while the form is being processed, also with other values', async () => {
    const form = formOf('save', { text: 'wait' })
    const first = owner.submit(path, form)
    const waiting = async (fields: Record<string, string>) => {
      const { statusCode, headers, body } = await owner.submit(path, fields)
      return [statusCode, headers['retry-after'], roleIn({ body }, 'alert')?.includes('still being processed')]
    }
    try {
      await reached.promise
      expect(await waiting(form)).toEqual([409, '1', true])
      expect(await waiting({ ...form, text: 'Meanwhile' })).toEqual([409, '1', true])
    } finally {
      held.resolve()
    }
    expect(leadsTo(await first)).toEqual([303, path])
    expect(saved).not.toContain('Meanwhile')
  })

  it('keeps the texts of a form whose id was used with other values, and saves nothing', async () => {
    const form = formOf('save', { text: 'Used' })
    await owner.submit(path, form)
    const other = await owner.submit(path, { ...form, text: 'Other' })
    expect(other.statusCode).toBe(409)
    expect(roleIn(other, 'alert')).toContain('already sent')
    expect(other.body).toContain(`<a href="${path}">Show what was saved</a>`)
    expect(other.body).toContain('>Other</textarea>')
    expect(saved).not.toContain('Other')
  })

  it.each(REFUSALS)('keeps the texts of a form that a service refuses with %i', async (status) => {
    const form = formOf('save', { text: `refuse ${status}` })
    const refused = await owner.submit(path, form)
    expect(refused.statusCode).toBe(status)
    expect(roleIn(refused, 'alert')).toBeDefined()
    expect(refused.body).toContain(`>refuse ${status}</textarea>`)
    expect(refused.body).toContain(`name="form_id" value="${form.form_id}"`)
    const corrected = await owner.submit(path, { ...form, text: `Accepted after ${status}` })
    expect(leadsTo(corrected)).toEqual([303, path])
  })

  it('keeps the texts of a form that fails, and names the entry of the log', async () => {
    const failed = await owner.submit(path, formOf('save', { text: 'fail' }))
    expect(failed.statusCode).toBe(500)
    expect(failed.body).toContain('>fail</textarea>')
    expect(roleIn(failed, 'alert')).toContain('Reference')
  })

  it('keeps the texts of a form with a value that is not valid', async () => {
    const refused = await owner.submit(path, formOf('save', { text: 'x'.repeat(51) }))
    expect([refused.statusCode, roleIn(refused, 'alert')]).toEqual([400, 'Check the marked fields.'])
    expect(refused.body).toContain(`>${'x'.repeat(51)}</textarea>`)
  })

  it('refuses a form that names no action of the screen', async () => {
    const statuses = await Promise.all(
      ['nothing', 'constructor', ''].map(async (action) => (await owner.submit(path, formOf(action))).statusCode),
    )
    expect(statuses).toEqual([400, 400, 400])
  })

  it('shows a view without using up the id of the form', async () => {
    const form = formOf('look', { text: 'a draft' })
    const looked = await owner.submit(path, form)
    expect([looked.statusCode, looked.body.includes('Looks like a draft')]).toEqual([200, true])
    expect(leadsTo(await owner.submit(path, { ...form, do: 'save' }))).toEqual([303, path])
  })

  it('refuses a form with more fields than any page has', async () => {
    const body = (fields: number) => `do=save&text=Many&text=${'&a'.repeat(fields - 3)}`
    const statusOf = async (fields: number) => {
      const headers = { origin: 'https://profiles.example', 'content-type': 'application/x-www-form-urlencoded' }
      return (await test.app.inject({ method: 'POST', url: path, payload: body(fields), headers })).statusCode
    }
    expect([await statusOf(2_000), await statusOf(2_001), await statusOf(30_000)]).toEqual([401, 400, 400])
  })

  it('does not take the id of a form of another address', async () => {
    const form = formOf('save', { text: 'Here and there' })
    const other = path.replace(/\d+/, `${(await newOrganization(test.app, profile.owner)).id}`)
    await owner.submit(path, form)
    expect((await owner.submit(other, form)).statusCode).toBe(409)
  })

  it('refuses a form that a page of another site sent', async () => {
    const refused = await owner.submit(path, formOf('save', { text: 'Foreign' }), { origin: 'https://other.example' })
    expect(refused.statusCode).toBe(403)
    expect(saved).not.toContain('Foreign')
  })
})

describe('a form whose session has ended', () => {
  it('is kept for the same account, which gets it back without sending it', async () => {
    const stranger = openBrowser(test.app)
    const form = formOf('save', { text: 'Written for long', written_by: profile.owner.account.id })
    const ended = await stranger.submit(path, form)
    expect(ended.statusCode).toBe(401)
    expect(ended.headers['cache-control']).toBe('private, no-store')
    const kept = hiddenFieldsOf(ended)
    expect(ended.body).not.toContain('Written for long')
    const shown = await owner.submit(path, kept)
    expect([shown.statusCode, shown.body.includes('>Written for long</textarea>')]).toEqual([200, true])
    expect(shown.body).toContain(`name="form_id" value="${form.form_id}"`)
    expect(saved).not.toContain('Written for long')
  })

  it('is still kept when it is shown before the person has signed in again', async () => {
    const stranger = openBrowser(test.app)
    const form = formOf('save', { text: 'Asked for too early', written_by: profile.owner.account.id })
    const kept = hiddenFieldsOf(await stranger.submit(path, form))
    const early = await stranger.submit(path, kept)
    expect([early.statusCode, hiddenFieldsOf(early)]).toEqual([401, kept])
    expect((await owner.submit(path, hiddenFieldsOf(early))).body).toContain('>Asked for too early</textarea>')
  })

  it('is dropped for another account, on another screen, and after an hour', async () => {
    const editor = await browserOfMember(test.app, profile, 'editor')
    const form = formOf('save', { text: 'Of the owner', written_by: profile.owner.account.id })
    const kept = hiddenFieldsOf(await openBrowser(test.app).submit(path, form))
    const other = path.replace(/\d+/, `${(await createWriter(test.app, 'other-notes')).profileId}`)
    expect(leadsTo(await editor.submit(path, kept))).toEqual([303, path])
    expect(leadsTo(await owner.submit(other, kept))).toEqual([303, other])
    later = 3_600_000
    expect(leadsTo(await owner.submit(path, kept))).toEqual([303, path])
    later = 0
    expect(saved).not.toContain('Of the owner')
  })

  it('keeps no password and no code', async () => {
    const secrets = {
      new_password: 'Correct horse 1 battery',
      code: '123456',
      proof_password: 'Correct horse 2 battery',
    }
    const form = formOf('save', { text: 'x'.repeat(60_000), written_by: profile.owner.account.id, ...secrets })
    const ended = await openBrowser(test.app).submit(path, form)
    expect(ended.statusCode).toBe(401)
    for (const secret of Object.values(secrets)) expect(ended.body).not.toContain(secret)
  })

  it('can be copied when it is too long to be kept', async () => {
    const text = 'x'.repeat(60_000)
    const form = formOf('save', { text, written_by: profile.owner.account.id })
    const ended = await openBrowser(test.app).submit(path, form)
    expect([ended.statusCode, hiddenFieldsOf(ended)]).toEqual([401, {}])
    expect(ended.body).toContain(`${text}</textarea>`)
  })

  it('keeps no password and no code in the encrypted form', async () => {
    const secrets = {
      new_password: 'Correct horse 1 battery',
      code: '123456',
      proof_password: 'Correct horse 2 battery',
    }
    const ordinary = { reason_code: 'late', 't.address.postal_code': '10115' }
    const form = formOf('save', { text: 'Short', written_by: profile.owner.account.id, ...secrets, ...ordinary })
    const kept = hiddenFieldsOf(await openBrowser(test.app).submit(path, form))
    shownAgain.length = 0
    expect((await owner.submit(path, kept)).statusCode).toBe(200)
    expect(shownAgain).toEqual([
      { ...form, ...ordinary, new_password: undefined, code: undefined, proof_password: undefined },
    ])
  })

  it('leads to the sign-in and back when the screen is opened', async () => {
    const sent = await openBrowser(test.app).open(path)
    expect(leadsTo(sent)).toEqual([303, `/login?next=${encodeURIComponent(path)}`])
  })
})

describe('a form over the rate limit', () => {
  let strict: Awaited<ReturnType<typeof createTestApp>>
  /** The browser of the owner, whose next request is over the limit. */
  let limited: ReturnType<typeof openBrowser>
  beforeAll(async () => {
    const limits = { rateLimit: { multiplier: 0.01 } }
    strict = await createTestApp({ modules: [notesModule], storage: test.storage, limits })
    limited = openBrowser(strict.app)
    Object.assign(limited.jar, owner.jar)
    await limited.open(path)
  })
  afterAll(() => strict.close())

  it('is shown again with its texts', async () => {
    const refused = await limited.submit(path, formOf('save', { text: 'Too often' }))
    expect([refused.statusCode, refused.body.includes('>Too often</textarea>')]).toEqual([429, true])
    expect(saved).not.toContain('Too often')
  })

  it('is shown again with its texts when it was kept', async () => {
    const form = formOf('save', { text: 'Kept and too often', written_by: profile.owner.account.id })
    const kept = hiddenFieldsOf(await openBrowser(test.app).submit(path, form))
    const refused = await limited.submit(path, kept)
    expect([refused.statusCode, refused.body.includes('>Kept and too often</textarea>')]).toEqual([429, true])
  })

  it('is not read when it is large and the sender is not signed in', async () => {
    const stranger = openBrowser(strict.app)
    const form = formOf('save', { text: 'x'.repeat(100_000) })
    await stranger.submit(path, form)
    const refused = await stranger.submit(path, form)
    expect([refused.statusCode, refused.body.includes('xxxxxxxx')]).toEqual([429, false])
  })
})

describe('the permissions of a screen', () => {
  it.each([
    ['viewer', ['look'], { save: 403, wipe: 403 }],
    ['editor', ['look', 'save'], { save: 303, wipe: 403 }],
    ['admin', ['look', 'save'], { save: 303, wipe: 403 }],
  ] as const)('show a %s the buttons of %j only, and refuse the others', async (role, shown, statuses) => {
    const tab = await browserOfMember(test.app, profile, role)
    expect([...actionsOn(await tab.open(path))].sort()).toEqual(shown)
    for (const [action, status] of Object.entries(statuses)) {
      const sent = await tab.submit(path, formOf(action, { text: `By a ${role}` }))
      expect([action, sent.statusCode]).toEqual([action, status])
    }
  })

  it('refuse people who are not in the team, and keep what they wrote', async () => {
    const stranger = await browserOf(test.app, await signUp(test.app))
    expect((await stranger.open(path)).statusCode).toBe(403)
    const refused = await stranger.submit(path, formOf('save', { text: 'From outside' }))
    expect(refused.statusCode).toBe(403)
    expect(refused.body).toContain('From outside</textarea>')
    expect(saved).not.toContain('From outside')
  })
})

describe('a screen of administrators', () => {
  let chief: Person
  beforeAll(async () => {
    chief = await signUp(test.app)
    await makeAdministrator(test, chief)
  })

  it('is shown to administrators only, in the navigation too', async () => {
    const tab = await browserOf(test.app, chief)
    const page = await tab.open('/admin/notes')
    expect([page.statusCode, page.body.includes('Every note')]).toEqual([200, true])
    expect((await owner.open(path)).body).not.toContain('All notes')
  })

  it('does not exist for others, also when a form is posted by hand', async () => {
    const read = await owner.open('/admin/notes')
    const sent = await owner.submit('/admin/notes', formOf('wipe'))
    expect([read.statusCode, sent.statusCode]).toEqual([404, 404])
  })
})

describe('the names of screens', () => {
  const declare = (screen: Screen) =>
    createTestApp({
      modules: [notesModule, defineModule({ name: 'more', screens: () => [screen] })],
      storage: test.storage,
    })

  it('are refused at start when another module has the name or the path', async () => {
    await expect(declare({ ...notes, name: 'moreNotes' })).rejects.toThrow(
      'The module "more" declares the screen "/manage/profiles/:id/notes", which the module "notes" declares',
    )
  })

  it('begin with the name of the module of a host', async () => {
    await expect(declare({ ...notes, path: '/manage/profiles/:id/more' })).rejects.toThrow(
      'The screen "notesEdit" of the module "more" must begin with "more"',
    )
  })

  it('are of a profile only with its id in the path', async () => {
    await expect(declare({ ...notes, name: 'moreNotes', path: '/more' })).rejects.toThrow(
      'The path of the screen "moreNotes" must begin with /manage/profiles/:id/',
    )
  })
})

it('names the actions of each screen and their permissions in the OpenAPI document', async () => {
  const { paths } = (await profile.owner.get('/docs/openapi.json')).json()
  expect(paths['/manage/profiles/{id}/notes'].post['x-actions']).toEqual({
    save: 'content.edit',
    look: null,
    wipe: 'profile.delete',
  })
})
