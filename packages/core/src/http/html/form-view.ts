import type { PageLanguage } from '../../model/messages.ts'
import { type Html, html } from './html.ts'
import { pageMessages } from './messages.ts'
import type { HtmlView } from './view.ts'

/** A labelled input of a form. */
export interface Field {
  readonly name: string
  /** Unique on the page. Default: the name. */
  readonly id?: string | undefined
  readonly label: string
  readonly type?: 'text' | 'email' | 'password' | undefined
  readonly autocomplete: string
  /** The value that was entered before. Never a password. */
  readonly value?: string | undefined
  readonly hint?: string | undefined
  readonly problem?: string | undefined
  /** Default: true. */
  readonly isRequired?: boolean | undefined
  readonly minLength?: number | undefined
  readonly maxLength: number
  /** Whether it takes a name or an address, which keyboards must not correct. */
  readonly isExact?: boolean | undefined
}

/** Writes an input with its label, its hint, and its problem beside it. */
export function fieldHtml(field: Field): Html {
  const { name, id = name, label, type = 'text', hint, problem, isRequired = true, minLength } = field
  const ids = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return html`<p><label for="${id}">${label}</label>
${problem && html`<span class="wrong" id="${id}-problem">${problem}</span>`}<input id="${id}" name="${name}" type="${type}" autocomplete="${field.autocomplete}" maxlength="${field.maxLength}"${minLength && html` minlength="${minLength}"`}${isRequired && html` required`}${field.isExact && html` autocapitalize="none" spellcheck="false"`}${field.value && html` value="${field.value}"`}${problem && html` aria-invalid="true"`}${ids && html` aria-describedby="${ids}"`}>
${hint && html`<span class="hint" id="${id}-hint">${hint}</span>`}</p>\n`
}

/** Writes a value that a form sends without showing it. */
export const hiddenHtml = (name: string, value: string | undefined): Html | undefined =>
  value === undefined ? undefined : html`<input type="hidden" name="${name}" value="${value}">`

/** What a page shows above its content. */
export interface PageState {
  /** What went wrong. It gets the focus. */
  readonly problem?: string | undefined
  /** Confirms an action. */
  readonly notice?: string | undefined
  /** Shown below the notice. */
  readonly note?: Html | false | undefined
}

export interface FormPage extends PageState {
  readonly title: string
  /** The title while there is a problem. */
  readonly problemTitle: string
  readonly lead?: string | undefined
  readonly body: Html
}

/** Returns the title of a page, and the one that it has while there is a problem. */
export const titled = (page: PageLanguage, title: string): Pick<FormPage, 'title' | 'problemTitle'> => ({
  title,
  problemTitle: pageMessages(page)('problem', { title }),
})

/** Returns a page that shows what was done or what went wrong above its content. */
export const formView = ({ title, problemTitle, lead, problem, notice, note, body }: FormPage): HtmlView => ({
  title: problem === undefined ? title : problemTitle,
  head: html`<h1>${title}</h1>
${problem && html`<div class="problem" role="alert" tabindex="-1" autofocus><p>${problem}</p></div>`}${notice && html`<div class="notice" role="status"><p>${notice}</p>${note}</div>`}${lead && html`<p class="lead">${lead}</p>`}
${body}`,
})

/** Returns the texts of a form; other values count as missing. */
export function textsOf(body: unknown): Readonly<Record<string, string>> {
  if (typeof body !== 'object' || body === null) return {}
  return Object.fromEntries(
    Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
