import { describe, expect, it } from 'vitest'
import { PASSWORD, type Person, proveAddress, signUp } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { GUARDED_WORD, openGuardedPage } from '../support/guarded-page.ts'
import { hiddenFieldsOf, leadsTo, openBrowser } from '../support/pages.ts'

const { service, owner, path, did, guard } = await openGuardedPage()

async function browserOf({ account }: Person) {
  const tab = openBrowser(service.app)
  expect(leadsTo(await tab.submit('/login', { email: account.email, password: PASSWORD }))).toEqual([303, '/dashboard'])
  return tab
}

const HASH = `sha256:${'a'.repeat(64)}`
const AGREEMENT = { type: 'agreement', document_hash: HASH, document_url: 'https://terms.example/' }

describe('the page of a gate for people', () => {
  it('follows the seller by a button that leads back to the page, which is then open', async () => {
    await guard({ type: 'connection', relation: 'follower' })
    const tab = await browserOf(await signUp(service.app))
    const refused = await tab.open(path)
    expect([refused.statusCode, refused.body.includes('action="/connections/form"')]).toEqual([403, true])
    expect(leadsTo(await tab.submit('/connections/form', { ...hiddenFieldsOf(refused), on: '1' }))).toEqual([303, path])
    const open = await tab.open(path)
    expect([open.statusCode, open.body.includes(GUARDED_WORD)]).toEqual([200, true])
    expect(open.body).toContain('You follow this profile now.')
  })

  it('shows when its text was written and how long it takes to read, as the open page does', async () => {
    await guard({ type: 'connection', relation: 'follower' })
    const byline = /<time datetime="\d{4}-\d{2}-\d{2}">[^<]+<\/time> · 1 min/
    const closed = await client(service.app).get(path, { accept: 'text/html' })
    const open = await owner.get(path, { accept: 'text/html' })
    expect([closed.statusCode, open.statusCode]).toEqual([403, 200])
    expect(byline.exec(closed.body)?.[0]).toBe(byline.exec(open.body)?.[0])
    expect(closed.body).toMatch(byline)
  })

  it('leads anonymous visitors to the sign-in and back, and offers those who are signed in to confirm their address', async () => {
    await guard({ type: 'identity', method: 'email_verified' })
    const stranger = await client(service.app).get(path, { accept: 'text/html' })
    expect(stranger.body).toContain(`href="/login?next=${encodeURIComponent(path)}`)
    const guest = await signUp(service.app)
    const tab = await browserOf(guest)
    const refused = await tab.open(path)
    expect(refused.body).toContain('action="/dashboard/resend-verification"')
    expect(refused.body).not.toContain('/login?next=')
    await proveAddress(service, guest)
    expect((await tab.open(path)).body).toContain(GUARDED_WORD)
  })
})

describe('the document of a gate', () => {
  it('is accepted by a button, once for each account, and opens the page on any device', async () => {
    await guard(AGREEMENT)
    const guest = await signUp(service.app)
    const tab = await browserOf(guest)
    const refused = await tab.open(path)
    expect([refused.statusCode, refused.body.includes('>I accept</button>')]).toEqual([403, true])
    const fields = hiddenFieldsOf(refused)
    const sent = await Promise.all([1, 2, 3].map(() => tab.submit('/eep/agreements/form', fields)))
    expect(sent.map(leadsTo)).toEqual(Array(3).fill([303, path]))
    const open = await tab.open(path)
    expect([open.statusCode, open.body.includes('You accepted the document.')]).toEqual([200, true])
    expect((await tab.open(path)).body).not.toContain('You accepted the document.')
    expect((await guest.get(path)).body).toContain(GUARDED_WORD)
    const other = await browserOf(await signUp(service.app))
    expect((await other.open(path)).statusCode).toBe(403)
    expect((await client(service.app).get(path)).statusCode).toBe(403)
  })

  it('is accepted again when the gate names another one', async () => {
    await guard(AGREEMENT)
    const tab = await browserOf(await signUp(service.app))
    await tab.submit('/eep/agreements/form', { did, document: HASH, next: path })
    expect((await tab.open(path)).statusCode).toBe(200)
    await guard({ ...AGREEMENT, document_hash: `sha256:${'b'.repeat(64)}` })
    expect((await tab.open(path)).statusCode).toBe(403)
  })

  it('cannot be accepted by another site, by an anonymous visitor, or when the gate does not name it', async () => {
    await guard(AGREEMENT)
    const tab = await browserOf(await signUp(service.app))
    const fields = { did, document: HASH, next: path }
    const foreign = await tab.submit('/eep/agreements/form', fields, { origin: 'https://evil.example' })
    expect(foreign.statusCode).toBe(403)
    const stranger = await openBrowser(service.app).submit('/eep/agreements/form', fields)
    expect(leadsTo(stranger)).toEqual([303, `/login?next=${encodeURIComponent(path)}`])
    for (const wrong of [
      { document: `sha256:${'c'.repeat(64)}` },
      { did: 'did:web:profiles.example:u:unknown-name' },
    ]) {
      expect((await tab.submit('/eep/agreements/form', { ...fields, ...wrong })).statusCode).toBe(404)
    }
    expect((await tab.open(path)).statusCode).toBe(403)
    expect(owner.account.username).not.toBe('')
  })
})
