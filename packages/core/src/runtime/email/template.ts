/** A written email. */
export interface EmailParts {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** What a template of a host gets: the email that is sent without it. */
export interface EmailDefaults extends EmailParts {
  /** The language of its reader, as BCP 47. The email is written in the default language if this one is not shipped. */
  readonly language: string
}

/**
 * Replaces the text of an email. Without `html`, the text is shown in the layout of the service, its addresses as links.
 *
 * @param data - the values of this email
 * @param defaults - the email that is sent without the template
 */
export type EmailTemplate<Data = unknown> = (
  data: Data,
  defaults: EmailDefaults,
) => EmailTemplateResult | Promise<EmailTemplateResult>

/** What a template returns. */
export interface EmailTemplateResult {
  readonly subject: string
  readonly text: string
  readonly html?: string | undefined
}

/** Templates by the kinds of emails. */
export type EmailTemplates<Emails extends object> = {
  readonly [Kind in keyof Emails]?: EmailTemplate<Emails[Kind]> | undefined
}
