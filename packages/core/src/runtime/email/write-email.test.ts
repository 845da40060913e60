import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { defineMessages } from '../../model/messages.ts'
import { defineEmail } from './define-email.ts'
import { emailFacts } from './facts.ts'
import { subjectLine } from './plain-text.ts'
import type { EmailTemplate } from './template.ts'
import { createEmailWriter } from './write-email.ts'

/** The texts of an email of this kind. */
const textsOf = (kind: string, [subject, first, last, action]: readonly [string, string, string, string]) => ({
  [`email-${kind}.subject`]: subject,
  [`email-${kind}.first`]: first,
  [`email-${kind}.last`]: last,
  [`email-${kind}.action`]: action,
})

const greeting = defineEmail('greeting', {
  summary: 'someone arrives',
  data: z.object({ link: z.url() }),
  messages: defineMessages(textsOf('greeting', ['Welcome', 'Open it:', 'Bye.', 'Open']), {
    de: textsOf('greeting', ['Willkommen', 'Öffnen:', 'Ade.', 'Öffnen']),
    ja: textsOf('greeting', ['ようこそ', '開く', 'では。', '開く']),
    ar: textsOf('greeting', ['أهلا', 'افتح:', 'وداعا.', 'فتح']),
  }),
  text: ({ link }, say) => ({
    subject: say('subject'),
    paragraphs: [say('first'), say('last')],
    action: { link, label: say('action') },
  }),
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
    expect(html).toContain('background:#0b57d0;color:#fff')
    expect(html).toContain('.paper{background:#000000!important;color:#ece8e1!important}')
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
  const definition = { ...greeting, messages: defineMessages({}), text: () => ({ subject: 'Hi', paragraphs: ['Hi'] }) }
  expect(() => defineEmail('Password_Reset', definition)).toThrow('kebab case')
})

describe('a sentence of an email', () => {
  const messages = defineMessages(
    { 'email-call.subject': '{name} invites you to {team}', 'email-call.open': 'Open {link}' },
    { ar: { 'email-call.subject': 'يدعوك {name} إلى {team} {count}', 'email-call.open': 'افتح {link}' } },
  )
  const call = defineEmail('call', {
    summary: 'someone is called',
    data: z.object({ name: z.string(), team: z.string() }),
    messages,
    text: ({ name, team }, say) => ({
      subject: say('subject', { name, team, count: 7 }),
      paragraphs: [say('open', { link: 'https://profiles.example/u/ada' })],
    }),
  })
  const write = (language: string, name: string, team: string) =>
    call.write({ language }, { name, team }, emailFacts('en', 'Shop'))

  it('isolates names that are read in the other direction, and no others', () => {
    expect(write('en', 'ليلى', 'Atlas').subject).toBe('\u2068ليلى\u2069 invites you to Atlas')
    expect(write('ar', 'ada', 'فريق').subject).toBe('يدعوك \u2068ada\u2069 إلى فريق 7')
  })

  it('does not isolate addresses, which programs link', () => {
    expect(write('ar', 'ada', 'x').paragraphs).toEqual(['افتح https://profiles.example/u/ada'])
  })

  it('cannot be left by a name', () => {
    expect(write('ar', 'a\u2069da\u2066', 'فريق').subject).toBe('يدعوك \u2068ada\u2069 إلى فريق 7')
  })
})
