import { formIdHtml } from '../../http/html/account-forms.ts'
import { hiddenHtml } from '../../http/html/form-view.ts'
import { type Html, html } from '../../http/html/html.ts'
import { hrefOn } from '../../http/html/view.ts'
import { FORM_ID } from '../../http/idempotency/send-once.ts'
import type { EnteredForm, ScreenTexts, ScreenVisit } from './screen.ts'

/** The name of the input with the action of a form. */
export const ACTION = 'do'

/** The name of the hidden input with the account that a form was written for. */
export const WRITTEN_BY = 'written_by'

/** A form of a screen. */
export interface ScreenForm {
  /** The actions that its buttons have: after a refusal the form with that action keeps its id. */
  readonly actions: readonly string[]
  /** What it sends without showing it, and what identifies it among forms with its actions: `{ member: '7' }`. Default: nothing. */
  readonly among?: Readonly<Record<string, string>> | undefined
  /** What it sends without showing it. */
  readonly hidden?: Readonly<Record<string, string | undefined>> | undefined
  /** Whether it sends files. Default: false. */
  readonly hasFiles?: boolean | undefined
  readonly className?: string | undefined
  /** The id of the form, for inputs outside of it. */
  readonly id?: string | undefined
}

/** Returns a text of a form; of inputs that were sent more than once the first one. */
export function textOf(texts: ScreenTexts, name: string): string | undefined {
  const value = Object.hasOwn(texts, name) ? texts[name] : undefined
  return typeof value === 'string' || value === undefined ? value : value[0]
}

/** Returns all texts that a form sent under a name. */
export function textsNamed(texts: ScreenTexts, name: string): readonly string[] {
  const value = Object.hasOwn(texts, name) ? texts[name] : undefined
  return value === undefined ? [] : typeof value === 'string' ? [value] : value
}

/**
 * Returns a visit as the form with some actions sees it: what was entered is left out when another form of the screen was sent. Forms
 * that show what was entered read it from this visit, so that a refused form does not change what the others show.
 *
 * @param among - What identifies it among forms with its actions: {@link ScreenForm.among}. Default: nothing
 */
export function ofForm<Visit extends ScreenVisit>(
  visit: Visit,
  actions: ScreenForm['actions'],
  among: ScreenForm['among'] = {},
): Visit {
  const { entered } = visit
  if (!entered) return visit
  const { texts } = entered
  const isSame = Object.keys(among).every((name) => textOf(texts, name) === among[name])
  return isSame && actions.includes(textOf(texts, ACTION) ?? '') ? visit : { ...visit, entered: undefined }
}

/** Writes a form that is sent to its screen, once. Nothing when the viewer may do none of its actions. */
export function screenForm(visit: ScreenVisit, form: ScreenForm, body: Html): Html | false {
  const { actions, among = {}, hidden = {}, hasFiles, className, id } = form
  if (!actions.some((action) => visit.allows(action))) return false
  const { entered } = ofForm(visit, actions, among)
  const formId = entered && textOf(entered.texts, FORM_ID)
  // After a refusal the screen shows the same part of its list.
  const query = new URLSearchParams(visit.query).toString()
  return html`<form method="post" action="${hrefOn(visit.site, query === '' ? visit.path : `${visit.path}?${query}`)}"${id && html` id="${id}"`}${className && html` class="${className}"`}${hasFiles && html` enctype="multipart/form-data"`}>${formIdHtml(formId)}${hiddenHtml(WRITTEN_BY, visit.caller.account.id)}${Object.entries({ ...among, ...hidden }).map(([name, value]) => hiddenHtml(name, value))}
${body}</form>\n`
}

/** How a button looks. Default: the one that a screen is for. */
export type ButtonKind = 'second' | 'danger' | 'quiet'

/** Writes the button of an action; nothing when the viewer may not do it. */
export const actionButton = (
  visit: ScreenVisit,
  action: string,
  label: string | Html,
  kind?: ButtonKind | undefined,
): Html | false =>
  visit.allows(action) &&
  html`<button type="submit" name="${ACTION}" value="${action}"${kind && html` class="${kind}"`}>${label}</button>`

/** A form with one button, and with what it sends. */
export const buttonOnly = (
  visit: ScreenVisit,
  action: string,
  label: string | Html,
  among: Readonly<Record<string, string>> = {},
  kind: ButtonKind = 'second',
): Html | false => screenForm(visit, { actions: [action], among }, html`${actionButton(visit, action, label, kind)}`)

/** What an input shows: what was entered in its form when that was not accepted, else what is stored. */
export const shownText = ({ entered }: ScreenVisit, name: string, stored: string | null | undefined): string =>
  (entered && textOf(entered.texts, name)) ?? stored ?? ''

/** Whether a box is ticked, or a choice chosen: as entered in its form, else as stored. */
export const isChosen = ({ entered }: ScreenVisit, name: string, value: string, isStored: boolean): boolean =>
  entered ? textsNamed(entered.texts, name).includes(value) : isStored

/** Returns the problem of an input. */
export const wrongWith = ({ entered }: { readonly entered?: EnteredForm | undefined }, name: string) =>
  entered && Object.hasOwn(entered.wrong, name) ? entered.wrong[name] : undefined
