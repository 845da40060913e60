import type { z } from 'zod'
import type { Language } from '../../model/languages.ts'

/** What the text of an email may use besides its data, in the language of its reader. */
export interface EmailFacts {
  /** The name of the service. */
  readonly service: string
  /** A duration in words, such as `15 minutes`. */
  lasting(seconds: number): string
  /** A day of the calendar in UTC: `2027-01-31`. */
  day(date: Date): string
}

/** What to do after the first paragraph: a link to follow, with the label of its button, or a code to type. */
export type EmailAction = { readonly link: string; readonly label: string } | { readonly code: string }

/** The content of an email without its form. Everything in it is plain text. */
export interface EmailContent {
  readonly subject: string
  /** One line that email programs show after the subject. Default: the first paragraph. */
  readonly preheader?: string | undefined
  /** The text, one entry per paragraph. */
  readonly paragraphs: readonly string[]
  readonly action?: EmailAction | undefined
  /** Names and values, shown as a table below the action. */
  readonly facts?: readonly (readonly [name: string, value: string])[] | undefined
  /** Lines with an optional address, shown as a list below the first paragraph. */
  readonly items?: readonly { readonly text: string; readonly link?: string | undefined }[] | undefined
  /** Links at the end, in small type: a way to unsubscribe. */
  readonly endnotes?: readonly { readonly text: string; readonly link: string }[] | undefined
}

/** The text of an email in one language. */
export type EmailText<Data> = (data: Data, facts: EmailFacts) => EmailContent

/** An email as {@link defineEmail} returns it. */
export interface EmailDefinition<Kind extends string = string, Data extends z.ZodType = z.ZodType> {
  readonly kind: Kind
  /** When it is sent, for the documentation. */
  readonly summary: string
  /** The schema of its data. */
  readonly data: Data
  /** Returns its default content. */
  write(language: Language, data: z.output<Data>, facts: EmailFacts): EmailContent
}

/** The data of a list of definitions, by kind. */
export type EmailsOf<Definitions extends readonly EmailDefinition[]> = {
  readonly [Each in Definitions[number] as Each['kind']]: z.output<Each['data']>
}

const KIND = /^[a-z]+(?:-[a-z]+)*$/

/**
 * Defines an email in the module that sends it: its kind, which hosts override it by, when it is sent, the schema of its
 * data, and its text in every language.
 *
 * @throws TypeError when the kind is not in kebab case
 */
export function defineEmail<const Kind extends string, Data extends z.ZodType>(
  kind: Kind,
  {
    summary,
    data,
    texts,
  }: {
    readonly summary: string
    readonly data: Data
    readonly texts: Readonly<Record<Language, EmailText<z.output<Data>>>>
  },
): EmailDefinition<Kind, Data> {
  if (!KIND.test(kind)) throw new TypeError(`The kind "${kind}" of emails must be in kebab case`)
  return { kind, summary, data, write: (language, values, facts) => texts[language](values, facts) }
}
