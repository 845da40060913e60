import type { EepError } from '../../kernel/errors.ts'
import { isEepError } from '../../kernel/errors.ts'
import type { PageLanguage } from '../../model/messages.ts'
import { formIdHtml } from './account-forms.ts'
import { formView, hiddenHtml, titled } from './form-view.ts'
import { type Html, html } from './html.ts'
import type { PageAnswer } from './html-forms.ts'
import { pageMessages } from './messages.ts'
import { type HtmlView, hrefOn, type Site } from './view.ts'
import { retrySeconds, waitText } from './wait-text.ts'

/** A form with one text of several lines: a post, a message, a report. It is sent once. */
export interface TextForm {
  readonly path: string
  readonly label: string
  readonly button: string
  /** In UTF-16 code units, for the browser. */
  readonly maxLength: number
  /** What the form sends without showing it. */
  readonly hidden: Readonly<Record<string, string | undefined>>
  /** The text that was entered before. */
  readonly value?: string | undefined
  /** Default: a new one. */
  readonly formId?: string | undefined
  /** Shown above the form, on its own page. */
  readonly problem?: string | undefined
}

/** Writes a form with one text. */
export function textFormHtml(site: Site, form: TextForm): Html {
  const { path, label, button, maxLength, hidden, value = '', formId } = form
  // A line break after the tag is not part of the text.
  return html`<form class="write" method="post" action="${hrefOn(site, path)}">${formIdHtml(formId)}${Object.entries(hidden).map(([name, text]) => hiddenHtml(name, text))}
<p><label for="text">${label}</label>
<textarea id="text" name="body" rows="6" maxlength="${maxLength}" required>
${value}</textarea></p>
<p><button type="submit">${button}</button></p></form>\n`
}

/** Returns the page of a form with one text. */
export const textFormView = (site: Site, title: string, form: TextForm, lead?: string | undefined): HtmlView =>
  formView({ ...titled(site, title), lead, problem: form.problem, body: textFormHtml(site, form) })

/** The text of a form about an error, and its response. */
export interface RefusedText {
  readonly problem: string
  readonly answer: PageAnswer
}

/**
 * Returns the text of a form about an error, in the language of the page and with the time to wait.
 *
 * @param texts - what people can act on, by the code of the error
 * @throws other errors
 */
export function refusedText(page: PageLanguage, error: unknown, texts: ReadonlyMap<string, string>): RefusedText {
  const text = isEepError(error) && error.status < 500 ? texts.get(error.code) : undefined
  if (text === undefined) throw error
  const known = error as EepError
  const seconds = retrySeconds(known)
  const wait = seconds === undefined ? '' : ` ${pageMessages(page)('retryIn', { time: waitText(page, seconds) })}`
  return { problem: `${text}${wait}`, answer: { status: known.status, error: known } }
}
