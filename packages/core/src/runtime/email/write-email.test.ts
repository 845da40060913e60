import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { defineEmail } from './define-email.ts'
import { emailFacts } from './facts.ts'
import { subjectLine } from './plain-text.ts'
import type { EmailTemplate } from './template.ts'
import { createEmailWriter } from './write-email.ts'

const greeting = defineEmail('greeting', {
  summary: 'someone arrives',
  data: z.object({ link: z.url() }),
  texts: {
    en: ({ link }) => ({ subject: 'Welcome', paragraphs: ['Open it:', 'Bye.'], action: { link, label: 'Open' } }),
    de: ({ link }) => ({ subject: 'Willkommen', paragraphs: ['Öffnen:', 'Ade.'], action: { link, label: 'Öffnen' } }),
    ja: ({ link }) => ({ subject: 'ようこそ', paragraphs: ['開く', 'では。'], action: { link, label: '開く' } }),
    ar: ({ link }) => ({ subject: 'أهلا', paragraphs: ['افتح:', 'وداعا.'], action: { link, label: 'فتح' } }),
  },
})

const letter = { to: 'ada@example.com', username: 'ada', data: { link: 'https://a.example/?x=1&y=2' } }

function writer(template?: EmailTemplate<{ link: string }>) {
  const error = vi.fn()
  const write = createEmailWriter({
    service: 'Shop',
    language: 'de',
    logoUrl: undefined,
    theme: { light: { accent: '#0b57d0' }, dark: { paper: '#000000' } },
    imprint: undefined,
    templates: { greeting: template },
    logger: { info: error, warn: error, error },
  })
  return { write, error }
}

describe('an email', () => {
  it('is written in the language of the host unless that of the recipient is known', async () => {
    const { write } = writer()
    expect((await write(greeting, letter)).subject).toBe('Willkommen')
    expect((await write(greeting, { ...letter, language: 'ja' })).subject).toBe('ようこそ')
  })

  it('contains a greeting, its text and the name of the service, in this order', async () => {
    const { text } = await writer().write(greeting, { ...letter, language: 'en' })
    expect(text).toBe(
      'Hello ada,\n\nOpen it:\n\nhttps://a.example/?x=1&y=2\n\nBye.\n\n-- \nThis email was sent by Shop.\n',
    )
  })
})

describe('the colors of an email', () => {
  it('are those of the pages of the host, else the default ones, on light and dark screens', async () => {
    const { html } = await writer().write(greeting, letter)
    expect(html).toContain('background:#0b57d0;color:#fdfcfa')
    expect(html).toContain('.paper{background:#000000!important;color:#e8e4dc!important}')
    expect(html).not.toContain('#1f5f4f')
  })
})

describe('a template of the host', () => {
  it('gets the data, the default text and the language', async () => {
    const template = vi.fn<EmailTemplate<{ link: string }>>(() => ({ subject: 'Hi', text: 'Hi' }))
    await writer(template).write(greeting, { ...letter, language: 'ar' })
    expect(template.mock.calls).toEqual([[letter.data, expect.objectContaining({ language: 'ar', subject: 'أهلا' })]])
  })

  it('is shown in the layout of the service, with its addresses as links', async () => {
    const template: EmailTemplate<{ link: string }> = ({ link }) => ({
      subject: 'Hi\r\nBcc: eve@example.com',
      text: `A <b>new</b> text.\nOpen ${link}.\n\nBye.`,
    })
    const { subject, text, html } = await writer(template).write(greeting, letter)
    expect(subject).toBe('Hi Bcc: eve@example.com')
    expect(text).toContain('Open https://a.example/?x=1&y=2.\n\nBye.')
    expect(html).toContain('href="https://a.example/?x=1&amp;y=2"')
    expect(html).toContain('A &lt;b&gt;new&lt;/b&gt; text.<br>Open ')
    expect(html).toContain('<html lang="de" dir="ltr">')
  })

  it('may bring its own HTML', async () => {
    const template = async () => ({ subject: 'Hi', text: 'Hi', html: '<p>Hi</p>' })
    expect(await writer(template).write(greeting, letter)).toMatchObject({ text: 'Hi', html: '<p>Hi</p>' })
  })

  it('is logged when it fails, and the default text is sent', async () => {
    const fault = new Error('broken')
    const { write, error } = writer(() => {
      throw fault
    })
    expect((await write(greeting, letter)).subject).toBe('Willkommen')
    expect(error.mock.calls).toEqual([[{ err: fault, kind: 'greeting' }, expect.stringContaining('default text')]])
  })
})

it('cuts a long subject before a character that does not fit', () => {
  expect(subjectLine('a'.repeat(78))).toBe('a'.repeat(78))
  expect(subjectLine('a'.repeat(79))).toBe(`${'a'.repeat(77)}…`)
  expect(subjectLine(`${'a'.repeat(76)}😀😀`)).toBe(`${'a'.repeat(76)}…`)
})

it('writes durations in the language of the reader, with the same digits', () => {
  expect(emailFacts('en', 'x').lasting(86_400)).toBe('1 day')
  expect(emailFacts('en', 'x').lasting(900)).toBe('15 minutes')
  expect(emailFacts('de', 'x').lasting(7_200)).toBe('2 Stunden')
  expect(emailFacts('ja', 'x').lasting(604_800)).toBe('7 日')
  expect(emailFacts('ar', 'x').lasting(900)).toMatch(/^15 دقيقة$/)
  expect(emailFacts('en', 'x').lasting(61)).toBe('61 seconds')
})

it('refuses a kind that is not in kebab case', () => {
  const text = () => ({ subject: 'Hi', paragraphs: ['Hi'] })
  const texts = { en: text, de: text, ja: text, ar: text }
  expect(() => defineEmail('Password_Reset', { ...greeting, texts })).toThrow('kebab case')
})
