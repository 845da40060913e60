import { SANDBOX_NETWORK } from '@eep/core/ports'
import { sandbox, sandboxMailer } from '@eep/core/sandbox'
import { cashRail } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { createTestApp, openStorage, PUBLIC_URL } from '../support/app.ts'
import { client } from '../support/client.ts'
import { soon } from '../support/wait.ts'

const KEY = 'a-key-of-the-sandbox-for-tests'
const HOST = new URL(PUBLIC_URL).host
/** A rail that takes play money. */
const PLAY_RAIL = { ...cashRail({ network: SANDBOX_NETWORK }), moneyKind: undefined }

let database: Awaited<ReturnType<typeof openStorage>>
let test: Awaited<ReturnType<typeof createTestApp>>
beforeAll(async () => {
  database = await openStorage()
  const { storage } = database
  test = await createTestApp({
    storage,
    email: { mailer: sandboxMailer({ storage }) },
    payments: { rails: [PLAY_RAIL] },
    modules: [sandbox({ key: KEY })],
  })
})
afterAll(async () => {
  await test.close()
  await database.close()
})

const { get } = client(() => test.app, {
  accept: 'text/html',
  host: HOST,
  cookie: `__Host-eep_sandbox=${KEY}`,
})

/** The path of the newest email to an address, once it was written. */
const pathOf = (email: string) =>
  soon(async () => {
    const { body } = await get('/sandbox/mail')
    const row = body.split('<li>').find((each) => each.includes(email)) ?? ''
    const path = /href="(\/sandbox\/mail\/[\w-]+)"/.exec(row)?.[1]
    expect(path).toBeDefined()
    return path ?? ''
  })

describe('the mailbox of a sandbox', () => {
  it('shows what to do while it is empty', async () => {
    expect((await get('/sandbox/mail')).body).toContain('No emails yet')
  })

  it('lists emails, and shows each in a frame without scripts and without the origin of the service', async () => {
    const person = await signUp(test.app)
    const path = await pathOf(person.account.email)
    const mail = await get(path)
    expect(mail.statusCode).toBe(200)
    expect(mail.body).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"')
    expect(mail.body).toContain(`src="${path}/body"`)
    expect(mail.body).not.toContain('allow-scripts')
    expect(mail.body).not.toContain('allow-same-origin')
    expect(mail.headers['content-security-policy']).toContain("frame-src 'self'")
    // As plain text too.
    expect(mail.body).toMatch(/<pre [^>]*>Test mode: no money moves/)
  })

  it('sends an email with a separate policy, whose links open in a new tab', async () => {
    const person = await signUp(test.app)
    const path = await pathOf(person.account.email)
    const body = await get(`${path}/body`)
    expect(body.headers['content-security-policy']).toBe(
      "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'",
    )
    expect(body.headers['cache-control']).toBe('private, no-store')
    const links = body.body.match(/<a [^>]*>/g) ?? []
    expect(links.length).toBeGreaterThan(0)
    for (const link of links) expect(link).toMatch(/^<a target="_blank" rel="noopener" href="https:/)
    const verified = /href="https:\/\/profiles\.example(\/verify\?token=[\w-]+)"/.exec(body.body)?.[1]
    expect((await get(verified ?? '')).statusCode).toBe(200)
  })

  it('shows markup in a subject as text', async () => {
    const { storage } = database
    const subject = '<script>alert(1)</script>'
    await sandboxMailer({ storage }).send({ to: 'x@example.com', subject, text: subject, html: '<p>x</p>' })
    const { body } = await get('/sandbox/mail')
    expect(body).toContain('&lt;script&gt;alert(1)')
    expect(body).not.toContain('<script>alert')
  })

  it('has no email with another id', async () => {
    expect((await get('/sandbox/mail/7d5c2f0e-6f57-4a43-9d5f-7b1f6a1a2b3c')).statusCode).toBe(404)
  })

  it('is linked where a page states that an email was sent', async () => {
    const sent = await get('/forgot-password?done=sent')
    expect(sent.body).toContain('href="/sandbox/mail"')
    expect(sent.body).toContain('from your terminal')
  })
})

describe('a sandbox with a mail server', () => {
  it('has no mailbox', async () => {
    const other = await createTestApp({
      payments: { rails: [PLAY_RAIL] },
      modules: [sandbox({ key: KEY, mailbox: false })],
    })
    try {
      const requests = client(other.app, { accept: 'text/html', host: HOST, cookie: `__Host-eep_sandbox=${KEY}` })
      expect((await requests.get('/sandbox/mail')).statusCode).toBe(404)
      expect((await requests.get('/sandbox')).body).not.toContain('/sandbox/mail')
      expect((await requests.get('/forgot-password?done=sent')).body).not.toContain('/sandbox/mail')
    } finally {
      await other.close()
    }
  })
})
