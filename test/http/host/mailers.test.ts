import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { directoryMailer, smtpMailer } from '@eep/core/email'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { newRegistration, type Person, register, signUp } from '../../support/accounts.ts'
import { createTestApp, openStorage, type TestApp } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { tokenIn } from '../../support/mailbox.ts'
import { choose, follow, untilNotified } from '../../support/notifications.ts'

const DAY_MS = 86_400_000
const FROM = 'Profiles <no-reply@profiles.example>'
const MAIL = {
  to: 'ada@example.com',
  subject: 'Grüße, 世界',
  text: 'Hello Ada,\n\nhttps://profiles.example/verify?token=abc=def\n.\nfrom here\n',
  html: '<p>Hello <b>Ada</b></p>',
}

/** An email as it was sent. */
interface Caught {
  readonly sender: string | undefined
  readonly recipients: readonly string[]
  readonly email: Email
}

/** An SMTP server that delivers to the tests and refuses recipients called unknown. */
async function catchMail() {
  const caught: Caught[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, callback) =>
      username === 'ada' && password === 'p@ss'
        ? callback(null, { user: username })
        : callback(new Error('wrong name or password')),
    onRcptTo: ({ address }, _session, callback) =>
      callback(address.startsWith('unknown') ? new Error('no such recipient') : null),
    async onData(stream, { envelope }, callback) {
      const email = await PostalMime.parse(await new Response(stream).arrayBuffer())
      const sender = envelope.mailFrom ? envelope.mailFrom.address : undefined
      caught.push({ sender, recipients: envelope.rcptTo.map(({ address }) => address), email })
      callback()
    },
  })
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  return {
    caught,
    url: (user = '') => `smtp://${user}127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

let smtp: Awaited<ReturnType<typeof catchMail>>
let directory: string
const closers: (() => Promise<void> | undefined)[] = []

beforeAll(async () => {
  smtp = await catchMail()
  directory = await mkdtemp(join(tmpdir(), 'eep-mail-'))
})
afterEach(async () => {
  smtp.caught.length = 0
  for (const close of closers.splice(0)) await close()
})
afterAll(async () => {
  await smtp.close()
  await rm(directory, { recursive: true })
})

function smtpTo(url: string) {
  const mailer = smtpMailer({ url, from: FROM })
  closers.push(() => mailer.close?.())
  return mailer
}

describe('smtpMailer', () => {
  it('sends text and HTML from the sender to the one recipient', async () => {
    await smtpTo(smtp.url('ada:p%40ss@')).send(MAIL)
    expect(smtp.caught).toHaveLength(1)
    expect(smtp.caught[0]).toMatchObject({
      sender: 'no-reply@profiles.example',
      recipients: [MAIL.to],
      email: {
        from: { name: 'Profiles', address: 'no-reply@profiles.example' },
        to: [{ address: MAIL.to }],
        subject: MAIL.subject,
        text: expect.stringContaining(MAIL.text.trim()),
        html: expect.stringContaining(MAIL.html),
      },
    })
    expect(smtp.caught[0]?.email.messageId).toMatch(/^<.+@profiles\.example>$/)
  })

  it('marks every email as automatic, and asks for no holiday notices', async () => {
    await smtpTo(smtp.url()).send({ ...MAIL, headers: { 'List-Unsubscribe': '<https://a.example>' } })
    const headers = smtp.caught[0]?.email.headers.map(({ key, value }) => [key, value])
    expect(headers?.filter(([key]) => key === 'auto-submitted')).toEqual([['auto-submitted', 'auto-generated']])
    expect(headers).toContainEqual(['x-auto-response-suppress', 'OOF, AutoReply'])
    expect(headers).toContainEqual(['list-unsubscribe', '<https://a.example>'])
  })

  it('answers a ping when the server lets it in, and rejects when it does not or does not listen', async () => {
    await smtpTo(smtp.url('ada:p%40ss@')).ping?.()
    await expect(smtpTo(smtp.url('ada:wrong@')).ping?.()).rejects.toThrow()
    await expect(smtpTo('smtp://127.0.0.1:1').ping?.()).rejects.toThrow('ECONNREFUSED')
  })

  it('takes no words of a subject or an address for headers or for more recipients', async () => {
    const mailer = smtpTo(smtp.url())
    const subject = 'Hello\r\nBcc: eve@example.com\r\n\r\nbody'
    await mailer.send({ ...MAIL, subject })
    await mailer.send({ ...MAIL, to: 'ada@example.com, eve@example.com' }).catch(() => {})
    for (const { recipients, email } of smtp.caught) {
      expect(recipients).toHaveLength(1)
      expect(recipients).not.toContain('eve@example.com')
      expect(email.bcc).toBeUndefined()
    }
  })

  it('fails when the server refuses the email or the password, or is unreachable', async () => {
    await expect(smtpTo(smtp.url()).send({ ...MAIL, to: 'unknown@example.com' })).rejects.toThrow()
    await expect(smtpTo(smtp.url('ada:wrong@')).send(MAIL)).rejects.toThrow()
    await expect(smtpTo('smtp://127.0.0.1:1').send(MAIL)).rejects.toThrow()
    expect(smtp.caught).toEqual([])
  })

  it.each(['mail.example.com', 'https://mail.example.com', ''])('wants a URL of SMTP: %s', (url) => {
    expect(() => smtpMailer({ url, from: FROM })).toThrow(/smtp:\/\//)
  })

  it('sends the email of a registration, whose link verifies the address', async () => {
    const { app, close } = await createTestApp({ email: { mailer: smtpTo(smtp.url()) }, name: 'Profiles & <Friends>' })
    closers.push(close)
    const body = newRegistration()
    await register(app, body)
    await expect.poll(() => smtp.caught, { timeout: 60_000 }).toHaveLength(1)
    const [
      {
        email: { text = '', html, subject },
      },
    ] = smtp.caught as [Caught]
    expect(subject).toContain('Profiles & <Friends>')
    expect(html).toContain('Profiles &amp; &lt;Friends&gt;')
    expect((await client(app).post('/auth/verify', { token: tokenIn({ text }) })).statusCode).toBe(200)
  })

  it('sends a digest, whose one-click link ends the digests without signing in', async () => {
    const database = await openStorage()
    closers.push(() => database.close())
    let now = Date.now()
    const start = () => {
      const email = { mailer: smtpTo(smtp.url()) }
      return createTestApp({ storage: database.another(), clock: () => new Date(now), email })
    }
    const digestsTo = ({ account }: Person) =>
      smtp.caught.filter(({ recipients, email }) => {
        return recipients.includes(account.email) && email.subject?.startsWith('What happened')
      })
    const untilDigests = (who: Person, count: number) =>
      expect.poll(() => digestsTo(who), { timeout: 60_000 }).toHaveLength(count)

    const first = await start()
    const [ada, bert] = [await signUp(first.app), await signUp(first.app)]
    for (const person of [ada, bert]) {
      await database.storage.transaction((tx) =>
        tx.accounts.save(person.account.id, { emailVerified: true, emailOwned: true }),
      )
      expect((await choose(person, { kind: 'follow', in_app: true, email: 'daily' })).statusCode).toBe(200)
    }
    const followBoth = async (on: TestApp, count: number) => {
      const cleo = await signUp(on)
      for (const person of [ada, bert]) {
        expect((await follow(cleo, person)).statusCode).toBeLessThan(300)
        const here = { ...person, ...client(on).as(person) }
        await untilNotified(here, ([item]) => expect(item?.count).toBe(count))
      }
    }
    await followBoth(first.app, 1)
    await first.close()

    now += DAY_MS
    const second = await start()
    for (const person of [ada, bert]) await untilDigests(person, 1)
    const headers = new Map(digestsTo(ada)[0]?.email.headers.map(({ key, value }) => [key, value]))
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const link = new URL(String(headers.get('list-unsubscribe')).slice(1, -1))
    expect(link.href).toMatch(/^https:\/\/profiles\.example\/notifications\/unsubscribe\?token=/)
    await followBoth(second.app, 2)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const path = `${link.pathname}${link.search}`
    expect((await client(second.app).post(path, 'List-Unsubscribe=One-Click', form)).statusCode).toBe(200)
    await second.close()

    now += DAY_MS
    const third = await start()
    await untilDigests(bert, 2)
    await followBoth(third.app, 3)
    await third.close()

    // A digest for Ada, due on the day before, would come before the one for Bert today.
    now += DAY_MS
    const fourth = await start()
    await untilDigests(bert, 3)
    await fourth.close()
    expect(digestsTo(ada)).toHaveLength(1)
  })
})

describe('directoryMailer', () => {
  it('writes each email to a file that only its owner can read, newest last', async () => {
    const mailer = directoryMailer({ directory: join(directory, 'outgoing'), from: FROM })
    for (const subject of ['first', 'second', 'third']) {
      await mailer.send({ ...MAIL, subject })
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    const names = (await readdir(join(directory, 'outgoing'))).sort()
    const emails = await Promise.all(
      names.map(async (name) => PostalMime.parse(await readFile(join(directory, 'outgoing', name)))),
    )
    expect(emails.map(({ subject }) => subject)).toEqual(['first', 'second', 'third'])
    expect(emails[0]).toMatchObject({ to: [{ address: MAIL.to }], text: expect.stringContaining(MAIL.text.trim()) })
    for (const name of names) {
      expect(name).toMatch(/\.eml$/)
      expect((await stat(join(directory, 'outgoing', name))).mode & 0o777).toBe(0o600)
    }
  })

  it('deletes the emails to one address and keeps the others', async () => {
    const place = join(directory, 'forgetful')
    const mailer = directoryMailer({ directory: place })
    await mailer.forget?.('ada@example.com')
    await mailer.send(MAIL)
    await mailer.send({ ...MAIL, to: 'grace@example.com' })
    await mailer.forget?.('ADA@example.com')
    const texts = await Promise.all((await readdir(place)).map((name) => readFile(join(place, name), 'utf8')))
    expect(texts).toHaveLength(1)
    expect(texts[0]).toContain('To: grace@example.com')
  })
})
