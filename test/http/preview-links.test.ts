import { afterAll, describe, expect, it } from 'vitest'
import { codeOf, type Person, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createMailbox } from '../support/mailbox.ts'
import { newMember, newOrganization, type OwnedProfile } from '../support/teams.ts'

describe('preview links', async () => {
  const test = await createTestApp()
  afterAll(() => test.close())
  const ada = await signUp(test.app)
  const acme = await newOrganization(test.app, ada)

  async function newPage(fields: object = {}, { owner, id }: OwnedProfile = acme) {
    const made = await owner.post('/manage/pages', { profile_id: id, title: 'Looms', body: 'A new loom.', ...fields })
    expect(made.statusCode, made.body).toBe(201)
    const page: { id: number; path: string } = made.json()
    return page
  }
  const linksOf = ({ id }: { readonly id: number }) => `/manage/pages/${id}/preview-links`

  async function newLink(page: { readonly id: number }, by: Person = ada) {
    const made = await by.post(linksOf(page))
    expect(made.statusCode, made.body).toBe(201)
    const link: { id: number; url: string; expires_at: string; created_at: string } = made.json()
    return { ...link, path: new URL(link.url).pathname }
  }
  const open = (path: string) => client(test.app).get(path, { accept: 'text/html' })
  const statusOf = async (path: string) => (await open(path)).statusCode
  const gate = (access: readonly string[]) => {
    const paid = [{ type: 'payment', amount: 1, currency: 'usdc', per: 'once' }]
    return ada.put(`/eep/gates/did:web:profiles.example:o:${acme.username}`, {
      default_tier: 'free',
      tiers: {
        free: { label: 'Free', requirements: [], access: ['*'] },
        paid: { label: 'Paid', requirements: paid, access },
      },
    })
  }

  it('show a page that is a draft to everyone who has them, and to no cache, search engine or linked site', async () => {
    const page = await newPage({ body: '# Looms\n\nA [new](https://elsewhere.example/) loom.' })
    const link = await newLink(page)
    expect(link.url).toMatch(/^https:\/\/profiles\.example\/preview\/[\w-]{22}$/)
    expect(Date.parse(link.expires_at) - Date.parse(link.created_at)).toBe(7 * 86_400_000)
    const shown = await open(link.path)
    expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(shown.body).toContain('This is a draft.')
    expect(shown.body).toMatch(/<h1[^>]*><bdi>Looms<\/bdi><\/h1>/)
    expect(shown.body).toContain('loom.')
    expect(shown.headers).toMatchObject({
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
    })
    expect(shown.body).not.toContain('rel="canonical"')
    await ada.put(`/manage/pages/${page.id}`, { body: 'A newer loom.' })
    expect((await open(link.path)).body).toContain('A newer loom.')
  })

  it('show the draft of a published page, and are refused for a page without one', async () => {
    const page = await newPage({ status: 'published' })
    const refused = await ada.post(linksOf(page))
    expect([refused.statusCode, codeOf(refused)]).toEqual([409, 'nothing_to_preview'])
    await ada.put(`/manage/pages/${page.id}/draft`, { title: 'Better looms', body: 'A drafted loom.' })
    const { body } = await open((await newLink(page)).path)
    expect([body.includes('A drafted loom.'), body.includes('A new loom.')]).toEqual([true, false])
  })

  it('are listed without their addresses, newest first, and end when they are revoked', async () => {
    const page = await newPage()
    const [first, second] = [await newLink(page), await newLink(page)]
    const listed = (await ada.get(linksOf(page))).json()
    expect(listed.data.map(({ id }: { readonly id: number }) => id)).toEqual([second.id, first.id])
    expect(JSON.stringify(listed)).not.toContain('/preview/')
    const other = await newPage()
    expect(codeOf(await ada.delete(`${linksOf(other)}/${first.id}`))).toBe('preview_link_not_found')
    expect((await ada.delete(`${linksOf(page)}/${first.id}`)).statusCode).toBe(200)
    expect([await statusOf(first.path), await statusOf(second.path)]).toEqual([404, 200])
    expect(codeOf(await ada.delete(`${linksOf(page)}/${first.id}`))).toBe('preview_link_not_found')
  })

  it.each<[string, (page: { id: number }) => Promise<unknown>]>([
    ['the page is published', ({ id }) => ada.put(`/manage/pages/${id}`, { status: 'published' })],
    ['the page is deleted', ({ id }) => ada.delete(`/manage/pages/${id}`)],
  ])('end when %s', async (_what, end) => {
    const page = await newPage()
    const link = await newLink(page)
    await end(page)
    expect(await statusOf(link.path)).toBe(404)
    await ada.put(`/manage/pages/${page.id}`, { status: 'draft' })
    expect(await statusOf(link.path)).toBe(404)
  })

  it.each<[string, (draft: string) => Promise<unknown>]>([
    ['published', (draft) => ada.post(`${draft}/publish`)],
    ['deleted', (draft) => ada.delete(draft)],
  ])('end when the draft of a published page is %s', async (_what, end) => {
    const page = await newPage({ status: 'published' })
    const draft = `/manage/pages/${page.id}/draft`
    await ada.put(draft, { body: 'A drafted loom.' })
    const link = await newLink(page)
    await end(draft)
    await ada.put(draft, { body: 'Another draft.' })
    expect(await statusOf(link.path)).toBe(404)
  })

  it('end with the right of their maker to edit the content', async () => {
    const editor = await newMember(test.app, acme, 'editor')
    const page = await newPage()
    const link = await newLink(page, editor)
    expect(await statusOf(link.path)).toBe(200)
    await ada.put(`${acme.team}/${editor.account.id}`, { role: 'viewer' })
    expect(await statusOf(link.path)).toBe(404)
  })

  it('to pages that a gate closes are made by those who may edit the gate, and end without that right', async () => {
    const editor = await newMember(test.app, acme, 'editor')
    const page = await newPage({ slug: 'offered' })
    const [byEditor, byOwner] = [await newLink(page, editor), await newLink(page)]
    const gated = await gate(['content.offered'])
    expect(gated.statusCode, gated.body).toBe(200)
    const refused = await editor.post(linksOf(page))
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'gate_permission_required'])
    expect([await statusOf(byEditor.path), await statusOf(byOwner.path)]).toEqual([404, 200])
    expect((await newLink(page)).path).toMatch(/^\/preview\//)
  })

  it('end when the profile is transferred, also when it is transferred back', async () => {
    const [owner, recipient] = [await signUp(test.app), await signUp(test.app)]
    const profile = await newOrganization(test.app, owner)
    const page = await newPage({}, profile)
    const link = await newLink(page, owner)
    const transfer = async (from: Person, to: Person) => {
      const offered = await from.post(`/profiles/${profile.id}/transfers`, {
        recipient_username: to.account.username,
      })
      expect(await statusOf(link.path)).toBe(from === owner ? 200 : 404)
      expect((await to.post(`/transfers/${offered.json().id}/accept`)).statusCode).toBe(200)
      expect(await statusOf(link.path)).toBe(404)
    }
    await transfer(owner, recipient)
    await transfer(recipient, owner)
    expect((await owner.get(linksOf(page))).json().data).toEqual([])
  })

  it('are not made while the service waits for the verified address of the owner', async () => {
    const mailbox = createMailbox()
    const waiting = await createTestApp({
      profiles: { publicAfterVerification: true },
      email: { mailer: mailbox.mailer },
    })
    const owner = await signUp(waiting.app)
    const profile = await newOrganization(waiting.app, owner)
    const page = await newPage({}, profile)
    const refused = await owner.post(linksOf(page))
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'email_not_verified'])
    await waiting.close()
  })

  it('are limited to twenty of a page', async () => {
    const page = await newPage()
    const made = await Promise.all(Array.from({ length: 24 }, () => ada.post(linksOf(page))))
    expect(made.filter(({ statusCode }) => statusCode === 201)).toHaveLength(20)
    const refused = made.filter(({ statusCode }) => statusCode !== 201).map(codeOf)
    expect(refused).toEqual(Array(4).fill('too_many_preview_links'))
  })

  it('are for the team that edits the page', async () => {
    const viewer = await newMember(test.app, acme, 'viewer')
    const page = await newPage()
    for (const answer of [await viewer.post(linksOf(page)), await viewer.get(linksOf(page))]) {
      expect([answer.statusCode, codeOf(answer)]).toEqual([403, 'not_profile_owner'])
    }
    const stranger = await (await signUp(test.app)).post(linksOf(page))
    expect([stranger.statusCode, codeOf(stranger)]).toEqual([404, 'page_not_found'])
    expect((await client(test.app).post(linksOf(page))).statusCode).toBe(401)
    expect(codeOf(await ada.post('/manage/pages/999999999/preview-links'))).toBe('page_not_found')
  })

  it('are unknown when their address is changed', async () => {
    const { path } = await newLink(await newPage())
    for (const other of [`${path}x`, path.slice(0, -1), '/preview/%00', `/preview/${'a'.repeat(22)}`]) {
      expect([404, 400], other).toContain(await statusOf(other))
    }
  })
})
