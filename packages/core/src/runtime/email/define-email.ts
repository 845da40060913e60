import type { z } from 'zod'
import { isAddress, isolated, withNeededIsolates } from '../../kernel/isolation.ts'
import type { KeyOf, Messages, PageLanguage, Translate } from '../../model/messages.ts'

/** What the text of an email may use besides its data, in the language of its reader. */
export interface EmailFacts {
  /** The language of the texts, as BCP 47. */
  readonly language: string
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

/** Writes an email in the language of its reader: `say` returns its sentences. */
export type EmailText<Data, Key extends string = string> = (
  data: Data,
  say: Translate<Key>,
  facts: EmailFacts,
) => EmailContent

/** An email as {@link defineEmail} returns it. */
export interface EmailDefinition<Kind extends string = string, Data extends z.ZodType = z.ZodType> {
  readonly kind: Kind
  /** When it is sent, for the documentation. */
  readonly summary: string
  /** The schema of its data. */
  readonly data: Data
  /** Returns its default content. */
  write(page: PageLanguage, data: z.output<Data>, facts: EmailFacts): EmailContent
}

/** The data of a list of definitions, by kind. */
export type EmailsOf<Definitions extends readonly EmailDefinition[]> = {
  readonly [Each in Definitions[number] as Each['kind']]: z.output<Each['data']>
}

/** Programs that link addresses would take an isolate for a part of them. */
const isolatedName = (value: string): string => (isAddress(value) ? value : isolated(value))

const KIND = /^[a-z]+(?:-[a-z]+)*$/

/**
 * Defines an email in the module that sends it: its kind, which hosts override it by, when it is sent, the schema of its
 * data, its sentences in every language, and its text.
 *
 * @throws TypeError when the kind is not in kebab case
 */
export function defineEmail<const Kind extends string, Data extends z.ZodType, Key extends string>(
  kind: Kind,
  {
    summary,
    data,
    messages,
    text,
  }: {
    readonly summary: string
    readonly data: Data
    /** The texts of the module. Those of the area `email-<kind>` are the sentences of the email. */
    readonly messages: Messages<Key>
    readonly text: EmailText<z.output<Data>, KeyOf<Key, `email-${Kind}`>>
  },
): EmailDefinition<Kind, Data> {
  if (!KIND.test(kind)) throw new TypeError(`The kind "${kind}" of emails must be in kebab case`)
  // The keys of the area are those that the text gets.
  const sentences = (messages as unknown as Messages)(`email-${kind}`)
  return {
    kind,
    summary,
    data,
    write(page, values, facts) {
      const translate = sentences(page, isolatedName)
      return text(values, (key, placeholders) => withNeededIsolates(translate(key, placeholders)), facts)
    },
  }
}
