import type { z } from 'zod'
import { type Language, shippedLanguage } from '../../model/languages.ts'
import type { Translations } from '../../model/messages.ts'
import type { Theme } from '../../model/theme.ts'
import type { EepLogger } from '../../ports/logger.ts'
import type { Mail } from '../../ports/mailer.ts'
import type { EmailAction, EmailContent, EmailDefinition } from './define-email.ts'
import { emailFacts } from './facts.ts'
import { createEmailLayout, type FooterLine, paragraphHtml } from './layout.ts'
import { layoutMessages } from './messages.ts'
import { oneLine, subjectLine } from './plain-text.ts'
import type { EmailDefaults, EmailParts, EmailTemplate } from './template.ts'

/** The recipient of an email, and the data of its text. */
export interface Letter<Data> {
  readonly to: string
  /** The username of the recipient. Undefined when the address may have no account. */
  readonly username?: string | undefined
  /** The language of the recipient, as BCP 47. Default: that of the host. */
  readonly language?: string | null | undefined
  readonly data: Data
  readonly headers?: Mail['headers']
}

export interface EmailWriterDeps {
  /** The name of the service. */
  readonly service: string
  readonly language: Language
  /** Texts of the host. They take precedence over the shipped ones. */
  readonly translations?: Translations | undefined
  readonly logoUrl: string | undefined
  /** The colors of the pages. */
  readonly theme: Theme
  /** The name and the address of the operator, a line each. */
  readonly imprint: string | undefined
  /** A page with the imprint, linked if there is no `imprint`. */
  readonly imprintUrl?: string | undefined
  /** Texts of the host, by kind. */
  readonly templates: Readonly<Record<string, EmailTemplate<never> | undefined>>
  /** Whether all money of the service is play money. Each email then states it. Default: false. */
  readonly isSandbox?: boolean | undefined
  readonly logger: EepLogger | undefined
}

/** The content with texts that cannot add lines or turn the direction of others. */
const cleaned = ({ subject, preheader, paragraphs, action, facts, items, endnotes }: EmailContent) => ({
  subject: subjectLine(subject),
  preheader: oneLine(preheader ?? paragraphs[0] ?? ''),
  paragraphs: paragraphs.map(oneLine),
  action: action && ('code' in action ? { code: oneLine(action.code) } : action),
  facts: facts?.map(([name, value]) => [oneLine(name), oneLine(value)] as const),
  items: items?.map(({ text, link }) => ({ text: oneLine(text), link })),
  endnotes: endnotes?.map(({ text, link }) => ({ text: oneLine(text), link })),
})

type Cleaned = ReturnType<typeof cleaned>

/** Writes the emails of the service in one layout, as text and as HTML. */
export function createEmailWriter({
  service,
  language: fallback,
  translations,
  logoUrl,
  theme,
  imprint,
  imprintUrl,
  templates,
  isSandbox = false,
  logger,
}: EmailWriterDeps) {
  const { textHtml, buttonHtml, smallLinkHtml, codeHtml, factsHtml, itemsHtml, layoutHtml, withStrip } =
    createEmailLayout(theme)
  const wordsIn = (language: string) => layoutMessages({ language, translations })
  const footerOf = (language: string) => [
    { text: oneLine(wordsIn(language)('sentBy', { service })) },
    ...(imprint?.split('\n').map((line) => ({ text: oneLine(line) })) ?? []),
    ...(imprint === undefined && imprintUrl !== undefined
      ? [{ text: wordsIn(language)('imprint'), link: imprintUrl }]
      : []),
  ]
  const joinParts = (parts: readonly string[], footer: readonly FooterLine[]) => {
    const lines = footer.map(({ text, link }) => (link === undefined ? text : `${text}: ${link}`))
    return `${[...parts, `-- \n${lines.join('\n')}`].join('\n\n')}\n`
  }

  const actionHtml = (action: EmailAction, copy: string): readonly string[] =>
    'code' in action
      ? [codeHtml(action.code)]
      : [buttonHtml(action.link, oneLine(action.label)), smallLinkHtml(copy, action.link)]

  function defaultParts(language: Language, username: string | undefined, content: Cleaned): EmailParts {
    const { subject, preheader, paragraphs, action, facts = [], items = [], endnotes = [] } = content
    const say = wordsIn(language)
    const greeting = oneLine(username === undefined ? say('greeting') : say('greetingNamed', { name: username }))
    const [first = '', ...others] = paragraphs
    const footer = footerOf(language)
    const text = [
      greeting,
      first,
      ...items.map(({ text: said, link }) => (link === undefined ? said : `${said}: ${link}`)),
      ...(action ? ['code' in action ? action.code : action.link] : []),
      ...(facts.length > 0 ? [facts.map(([name, value]) => `${name}: ${value}`).join('\n')] : []),
      ...others,
      ...endnotes.map(({ text: said, link }) => `${said}: ${link}`),
    ]
    const body = [
      paragraphHtml(greeting),
      paragraphHtml(first),
      ...(items.length > 0 ? [itemsHtml(items)] : []),
      ...(action ? actionHtml(action, say('copy')) : []),
      ...(facts.length > 0 ? [factsHtml(facts)] : []),
      ...others.map(paragraphHtml),
      ...endnotes.map(({ text: said, link }) => smallLinkHtml(`${said}:`, link)),
    ]
    const shared = { language, subject, preheader, service, logoUrl, footer }
    return { subject, text: joinParts(text, footer), html: layoutHtml({ ...shared, body: body.join('\n') }) }
  }

  /** The text of the host. A template that fails is logged, and the default text is sent. */
  async function hostParts(kind: string, data: unknown, defaults: EmailDefaults): Promise<EmailParts> {
    const template = Object.hasOwn(templates, kind) ? templates[kind] : undefined
    if (!template) return defaults
    try {
      // The option gives each kind a template for the data of that kind.
      const { subject: given, text: body, html } = await template(data as never, defaults)
      const { language } = defaults
      const subject = subjectLine(given)
      const preheader = oneLine(body.trim().split(/\n{2,}/)[0] ?? '')
      const footer = footerOf(language)
      const view = { language, subject, preheader, service, logoUrl, footer, body: textHtml(body) }
      return html === undefined
        ? { subject, text: joinParts([body.trim()], footer), html: layoutHtml(view) }
        : { subject, text: body, html }
    } catch (error) {
      logger?.error({ err: error, kind }, 'a template of an email failed, so its default text is sent')
      return defaults
    }
  }

  /** The parts of an email with the line of test mode above them, also above those of the host. */
  function inTestMode(language: string, parts: EmailParts): EmailParts {
    if (!isSandbox) return parts
    const strip = wordsIn(language)('testMode')
    return { ...parts, text: `${strip}\n\n${parts.text}`, html: withStrip(parts.html, strip) }
  }

  return async <Data extends z.ZodType>(
    email: EmailDefinition<string, Data>,
    { to, username, language, data, headers }: Letter<z.output<Data>>,
  ): Promise<Mail> => {
    const tag = language ?? fallback
    const shipped = shippedLanguage(tag) ?? fallback
    const content = cleaned(email.write({ language: shipped, translations }, data, emailFacts(shipped, service)))
    const defaults = { ...defaultParts(shipped, username, content), language: tag }
    const { subject, text, html } = inTestMode(tag, await hostParts(email.kind, data, defaults))
    return { to, subject, text, html, ...(headers && { headers }) }
  }
}

/** Writes one email. */
export type EmailWriter = ReturnType<typeof createEmailWriter>
