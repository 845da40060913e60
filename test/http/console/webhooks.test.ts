import { beforeEach, describe, expect, it } from 'vitest'
import { PASSWORD, signUp } from '../../support/accounts.ts'
import { actionsOn, browserOf, browserOfMember, formOf, roleIn } from '../../support/console.ts'
import { hiddenFieldsOf, inputOf, leadsTo } from '../../support/pages.ts'
import type { Receiver } from '../../support/receivers.ts'
import { newOrganization, type OwnedProfile } from '../../support/teams.ts'
import { soon } from '../../support/wait.ts'
import { openWebhooks, rename, subscribe } from '../../support/webhooks.ts'

let now = new Date()
const { app, receiver } = await openWebhooks({ clock: () => now })

let profile: OwnedProfile
let hook: Receiver
let owner: Awaited<ReturnType<typeof browserOf>>
let path: string

beforeEach(async () => {
  profile = await newOrganization(app)
  hook = await receiver()
  owner = await browserOf(app, profile.owner)
  path = `/manage/profiles/${profile.id}/webhooks`
})

const creation = (fields: Record<string, string> = {}) =>
  formOf('create', { url: hook.url, events: 'entity.*', patterns: '', ...fields })
const secretIn = ({ body }: { readonly body: string }): string =>
  / id="secret"[^>]* value="([^"]+)"/.exec(body)?.[1] ?? ''
const webhooks = async () => (await profile.owner.get('/eep/subscriptions')).json().data
const stateOf = async (id: string) => (await profile.owner.get(`/eep/subscriptions/${id}`)).json().status
const own = (fields: object = {}) => subscribe(profile.owner, profile, hook, fields)

describe('creating a webhook on its screen', () => {
  it('delivers the chosen events, signed with a secret that is shown once', async () => {
    const sent = creation({ patterns: 'content.published' })
    const made = await owner.submit(path, sent)
    expect([made.statusCode, made.headers['cache-control']]).toEqual([200, 'private, no-store'])
    const secret = secretIn(made)
    expect(secret).toMatch(/^whsec_/)
    expect(await webhooks()).toMatchObject([
      { status: 'active', delivery_url: hook.url, event_types: ['entity.*', 'content.published'] },
    ])

    const again = await owner.submit(path, sent)
    expect([again.statusCode, again.body.includes(secret)]).toEqual([409, false])
    expect(await webhooks()).toHaveLength(1)
    const list = await owner.open(path)
    expect(list.body).not.toContain(secret)
    expect(list.body).toContain(`>${hook.url}<`)
    expect(list.body).toContain('<span class="tag ok">Active</span>')

    await rename(profile, 'Renamed')
    // An update of the profile from before may arrive first.
    await soon(() =>
      expect(hook.envelopes().at(-1)).toMatchObject({
        type: 'entity.updated',
        data: { changed_fields: ['full_name'] },
      }),
    )
  })

  it('asks an older session for a proof, and then creates it as it was entered', async () => {
    now = new Date(now.getTime() + 600_001)
    const asked = await owner.submit(path, creation())
    expect([asked.statusCode, secretIn(asked), await webhooks()]).toEqual([403, '', []])
    const made = await owner.submit(path, { ...hiddenFieldsOf(asked), proof_password: PASSWORD })
    expect([made.statusCode, secretIn(made).slice(0, 6)]).toEqual([200, 'whsec_'])
  })

  it('keeps what was entered when the server does not confirm, and can be sent again', async () => {
    hook.confirmWith((_query, response) => response.writeHead(404).end())
    const sent = creation({ patterns: 'content.published' })
    const refused = await owner.submit(path, sent)
    expect(refused.statusCode).toBe(422)
    expect(roleIn(refused, 'alert')).toContain('The server did not confirm.')
    expect(inputOf(refused, 'url')).toContain(`value="${hook.url}"`)
    expect(refused.body).toContain('<span class="wrong" id="url-problem">The server did not confirm.')
    expect(refused.body).toContain('\ncontent.published</textarea>')
    hook.confirmWith((query, response) => response.end(query.get('hub.challenge')))
    expect(secretIn(await owner.submit(path, sent))).toMatch(/^whsec_/)
  })

  it.each([
    ['an address that is not allowed', { url: 'http://10.0.0.1/hook' }, 'Use a public https address.'],
    [
      'a text that is not an address',
      { url: 'hook' },
      '<span class="wrong" id="url-problem">Events cannot be sent to this address. Use a public https address.',
    ],
    ['no address', { url: ' ' }, 'Enter an https address.'],
    ['no events', { events: '' }, 'Choose at least one kind of event'],
    ['a type that is too long', { patterns: `a${'b'.repeat(128)}` }, 'Enter types such as content.published'],
    ['a type that cannot exist', { patterns: 'Content page' }, 'Enter types such as content.published'],
  ])('refuses %s beside its input', async (_name, fields, text) => {
    const form: Record<string, string> = creation(fields)
    const { events, ...rest } = form
    const refused = await owner.submit(path, events === '' ? rest : form)
    expect(refused.statusCode).toBe(400)
    expect(refused.body).toContain(text)
    expect(await webhooks()).toEqual([])
  })

  it('refuses one that exists with a link to it, keeps what was entered, and changes nothing', async () => {
    const { id } = await own({ event_types: ['entity.*'], max_batch_size: 7, metadata: { note: 'mine' } })
    const [before] = await webhooks()
    const refused = await owner.submit(path, creation())
    expect(refused.statusCode).toBe(409)
    expect(roleIn(refused, 'alert')).toContain('exists already. It was not changed.')
    expect(refused.body).toContain(`<a href="${path}?log=${id}">Show the existing webhook</a>`)
    expect(inputOf(refused, 'url')).toContain(`value="${hook.url}"`)
    expect(await webhooks()).toEqual([before])
    expect(hook.checks).toHaveLength(1)
    const other = creation({ patterns: 'content.published' })
    expect(secretIn(await owner.submit(path, other))).toMatch(/^whsec_/)
  })

  it('states when nothing matches a type today', async () => {
    await owner.submit(path, creation({ patterns: 'later.added' }))
    expect((await owner.open(path)).body).toContain('Nothing matches now: <code>later.added</code>')
  })
})

describe('the screen with webhooks', () => {
  it('sends a test, and shows its answer in the list and in the log', async () => {
    const { id } = await own()
    expect(leadsTo(await owner.submit(path, formOf('test', { webhook: id })))).toEqual([303, path])
    expect(roleIn(await owner.open(path), 'status')).toContain('A test event is on its way.')
    await soon(async () => expect((await owner.open(path)).body).toContain('<span class="tag ok">204</span>'))
    const log = await owner.open(`${path}?log=${id}`)
    expect(log.body).toContain('<span class="tag ok">204</span>')
    expect(log.body).toContain('Attempt 1')
  })

  it('delivers an event of the log again', async () => {
    const { id } = await own()
    await rename(profile, 'Renamed')
    await soon(async () => expect(actionsOn(await owner.open(`${path}?log=${id}`))).toContain('redeliver'))
    const event = /name="event" value="([^"]+)"/.exec((await owner.open(`${path}?log=${id}`)).body)?.[1] ?? ''
    const sent = await owner.submit(path, formOf('redeliver', { webhook: id, event }))
    expect(leadsTo(sent)).toEqual([303, `${path}?log=${id}`])
    expect(roleIn(await owner.open(`${path}?log=${id}`), 'status')).toBe('The event is delivered again.')
    await soon(() => expect(hook.envelopes().map((each) => each.id)).toEqual([event, event]))
  })

  it('states that an event is no longer stored', async () => {
    const { id } = await own()
    await owner.submit(path, formOf('redeliver', { webhook: id, event: 'none' }))
    expect(roleIn(await owner.open(`${path}?log=${id}`), 'status')).toContain('The event is no longer stored')
  })

  it('pauses and resumes a webhook, and states when another tab did', async () => {
    const { id } = await own()
    const act = (action: string) => owner.submit(path, formOf(action, { webhook: id }))
    expect(leadsTo(await act('pause'))).toEqual([303, path])
    expect(await stateOf(id)).toBe('paused')
    const paused = await owner.open(path)
    expect(paused.body).toContain('<span class="tag bad">Paused</span>')
    expect([...actionsOn(paused)].toSorted()).toEqual(['cancel', 'create', 'resume', 'rotate'])
    const late = await act('pause')
    expect([late.statusCode, roleIn(late, 'alert')]).toEqual([409, 'The webhook is in another state now.'])
    expect(leadsTo(await act('resume'))).toEqual([303, path])
    expect(await stateOf(id)).toBe('active')
  })

  it('rotates the secret after a proof, and shows the new one once', async () => {
    const { id, delivery_secret } = await own()
    const sent = formOf('rotate', { webhook: id })
    now = new Date(now.getTime() + 600_001)
    expect((await owner.submit(path, sent)).statusCode).toBe(403)
    const rotated = await owner.submit(path, { ...sent, proof_password: PASSWORD })
    const secret = secretIn(rotated)
    expect([rotated.statusCode, secret.slice(0, 6), secret === delivery_secret]).toEqual([200, 'whsec_', false])
    const again = await owner.submit(path, sent)
    expect([again.statusCode, again.body.includes(secret)]).toEqual([409, false])
    expect((await owner.open(path)).body).not.toContain(secret)
  })

  it('deletes a webhook', async () => {
    const { id } = await own()
    expect(leadsTo(await owner.submit(path, formOf('cancel', { webhook: id })))).toEqual([303, path])
    const after = await owner.open(path)
    expect(roleIn(after, 'status')).toBe('The webhook was deleted.')
    expect(after.body).toContain('No webhook receives events of this profile.')
    expect(await stateOf(id)).toBe('cancelled')
  })

  it('lists thirty webhooks at a time, those of this profile alone', async () => {
    for (let made = 0; made < 31; made++) await own({ delivery_url: `${hook.url}?n=${made}` })
    const other = await newOrganization(app)
    await subscribe(profile.owner, other, hook)
    const first = await owner.open(path)
    const shown = ({ body }: { readonly body: string }) =>
      [...body.matchAll(/<bdi dir="ltr">(http[^<]+)/g)].map(([, url]) => url)
    expect(shown(first)).toHaveLength(30)
    const [, next = ''] = /rel="next" href="([^"]+)"/.exec(first.body) ?? []
    const second = await owner.open(next.replaceAll('&amp;', '&'))
    expect(new Set([...shown(first), ...shown(second)]).size).toBe(31)
    expect(shown(second)).toHaveLength(1)
  })
})

describe('webhooks of others', () => {
  it('are touched by no other account, and by no screen of another profile', async () => {
    const { id } = await own()
    const admin = await browserOfMember(app, profile, 'admin')
    const { id: elsewhere } = (
      await profile.owner.post('/profiles', { profile_type: 'place', username: `p-${id.slice(-8)}` })
    ).json()
    const tries = [
      [admin, path],
      [owner, `/manage/profiles/${elsewhere}/webhooks`],
    ] as const
    for (const [browser, at] of tries) {
      for (const action of ['test', 'pause', 'resume', 'rotate', 'cancel', 'redeliver']) {
        const sent = await browser.submit(at, formOf(action, { webhook: id, event: 'none' }))
        expect([action, sent.statusCode]).toEqual([action, 404])
      }
      expect((await browser.open(`${at}?log=${id}`)).statusCode).toBe(404)
      expect((await browser.open(at)).body).not.toContain(hook.url)
    }
    expect(await stateOf(id)).toBe('active')
  })

  it('are created by each member of the team for itself, and by no other account', async () => {
    const viewer = await browserOfMember(app, profile, 'viewer')
    expect(secretIn(await viewer.submit(path, creation()))).toMatch(/^whsec_/)
    expect(await webhooks()).toEqual([])
    const stranger = await browserOf(app, await signUp(app))
    expect((await stranger.submit(path, creation())).statusCode).toBe(403)
  })
})
