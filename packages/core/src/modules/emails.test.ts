import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { DEFAULT_APPEARANCE } from '../http/html/style.ts'
import { directionOf, LANGUAGES, type Language } from '../model/languages.ts'
import type { EmailDefinition } from '../runtime/email/define-email.ts'
import { createEmailWriter } from '../runtime/email/write-email.ts'
import { everyModule } from '../testing/every-module.ts'

const emails: readonly EmailDefinition[] = everyModule.flatMap((each): readonly EmailDefinition[] => each.emails)
const cases = emails.flatMap((email) => LANGUAGES.map((language) => ({ email, language, kind: email.kind })))

const LINK = 'https://pages.example/open?token=secret&next=1'
const HOSTILE = `<script>alert("x")</script>\r\nBcc: eve@example.com\u202e ${'long '.repeat(30)}`

/** Data of a schema in which every text is hostile and every address is `LINK`. */
function hostileData(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodObject) {
    const parts: readonly [string, z.core.$ZodType][] = Object.entries(schema.shape)
    return Object.fromEntries(parts.map(([name, part]) => [name, hostileData(part)]))
  }
  if (schema instanceof z.ZodArray) return [hostileData(schema.element)]
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return hostileData(schema.unwrap())
  if (schema instanceof z.ZodEnum) return schema.options[0]
  if (schema instanceof z.ZodUnion) return hostileData(schema.options[0] as z.core.$ZodType)
  const { def } = schema._zod
  switch (def.type) {
    case 'string':
      return 'format' in def ? LINK : HOSTILE
    case 'number':
      return 900
    case 'date':
      return new Date('2027-01-31T12:00:00Z')
    default:
      throw new Error(`no data for ${def.type}`)
  }
}

const write = (email: EmailDefinition, language: Language, options: { logoUrl?: string; service?: string } = {}) =>
  createEmailWriter({
    service: options.service ?? 'Shop & <Sons>',
    language: 'en',
    logoUrl: options.logoUrl,
    theme: { light: {}, dark: {} },
    imprint: 'Shop & <Sons>\n1 Main Street',
    templates: {},
    logger: undefined,
  })(email, { to: 'ada@example.com', username: HOSTILE, language, data: hostileData(email.data) })

/** The addresses of the links in markup. */
const hrefs = (html: string) =>
  [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))

describe.each(cases)('the email $kind in $language', ({ email, language }) => {
  it('has the same links as text and as HTML', async () => {
    const { text, html } = await write(email, language)
    const linked = new Set(hrefs(html))
    expect(linked).toEqual(new Set(text.includes(LINK) ? [LINK] : []))
    expect(JSON.stringify(hostileData(email.data)).includes(LINK)).toBe(linked.size > 0)
  })

  it('escapes its data and loads nothing', async () => {
    const { html } = await write(email, language)
    expect(html).not.toContain('<script')
    expect(html).toContain('&lt;Sons&gt;')
    expect(html).not.toMatch(/<img|<link|url\(|@import|@font-face/)
    expect(html).not.toContain('\u202e')
  })

  it('has a subject that cannot become another header', async () => {
    const { subject } = await write(email, language)
    expect(subject.length).toBeGreaterThan(0)
    expect(subject.length).toBeLessThanOrEqual(78)
    expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u)
  })

  it('has no line in its text that begins with data from a line break', async () => {
    const { text } = await write(email, language)
    expect(text).not.toMatch(/^Bcc:/m)
  })

  it('has a preheader, its language and its direction', async () => {
    const { html } = await write(email, language)
    expect(/<div style="display:none[^>]*>([^<]+?)&#847;/.exec(html)?.[1]).toMatch(/\p{L}{2}/u)
    expect(html).toContain(`<html lang="${language}" dir="${directionOf(language)}">`)
    expect(html).toContain('name="color-scheme" content="light dark"')
  })

  it('names the service and the imprint in both parts', async () => {
    const { text, html } = await write(email, language)
    for (const line of ['Shop & <Sons>', '1 Main Street']) {
      expect(text).toContain(line)
      expect(html).toContain(line.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;'))
    }
  })
})

it('finds every kind of email once', () => {
  const kinds = emails.map(({ kind }) => kind)
  expect(new Set(kinds).size).toBe(kinds.length)
  expect(kinds).toContain('password-reset')
  expect(kinds).toContain('notification-digest')
})

it('shows no text of one language in another', async () => {
  for (const email of emails) {
    const texts = await Promise.all(LANGUAGES.map(async (language) => (await write(email, language)).text))
    expect(new Set(texts).size).toBe(LANGUAGES.length)
  }
})

it('uses the colours of the pages only', async () => {
  const [email] = emails
  const { html } = await write(email as EmailDefinition, 'en')
  const colours = new Set([...html.matchAll(/#[0-9a-f]{6}\b/g)].map(([colour]) => colour))
  expect([...colours].filter((colour) => !DEFAULT_APPEARANCE.css.includes(colour))).toEqual([])
  expect(colours.size).toBeGreaterThan(8)
})

it('shows the logo of the host, and nothing else from elsewhere', async () => {
  const [email] = emails
  const { html } = await write(email as EmailDefinition, 'en', { logoUrl: 'https://shop.example/logo.png?a=1&b=2' })
  expect([...html.matchAll(/src="([^"]*)"/g)].map(([, src]) => src)).toEqual([
    'https://shop.example/logo.png?a=1&amp;b=2',
  ])
})
