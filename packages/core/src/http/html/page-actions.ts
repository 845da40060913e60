import type { Caller } from '../../model/caller.ts'
import { type Html, html } from './html.ts'
import { type ActionKind, type ActionSubject, hrefOn, type PageAction, type Site } from './view.ts'

export type { ActionSubject, PageAction } from './view.ts'

/** Returns an action as one of the list of all, which are called with their own subjects and states only. */
export const listedAction = <Of extends ActionKind, State>(action: PageAction<Of, State>): PageAction =>
  action as unknown as PageAction

const stateKey = (action: string, id: number) => `${action} ${id}`

/** Reads what the buttons of a page show of its viewer. What fails is left out. */
export async function loadActionStates(
  { actions = [] }: Site,
  subjects: readonly ActionSubject[],
  caller: Caller,
  onError: (error: unknown) => void,
): Promise<ReadonlyMap<string, unknown>> {
  const loaded = await Promise.all(
    actions.map(async (action) => {
      const own = subjects.filter(({ kind }) => kind === action.on)
      if (own.length === 0 || !action.load) return []
      try {
        const states = await action.load(own, caller)
        return [...states].map(([id, state]) => [stateKey(action.key, id), state] as const)
      } catch (error) {
        onError(error)
        return []
      }
    }),
  )
  return new Map(loaded.flat())
}

function buttonsOf(action: PageAction, subject: ActionSubject, site: Site, next: string): Html | false | undefined {
  if (action.on !== subject.kind) return undefined
  return action.html({ subject, site, next, state: site.viewer?.states?.get(stateKey(action.key, subject.id)) })
}

/** Whether pages about such a subject have forms. */
export const hasActions = ({ actions = [] }: Site, kind: ActionKind): boolean => actions.some(({ on }) => on === kind)

/**
 * Writes the buttons that modules add to what a page shows.
 *
 * @param next - the path of the page
 * @param first - a link before the buttons. Default: none
 */
export function actionsHtml(
  subject: ActionSubject,
  site: Site,
  next: string,
  first: Html | false = false,
): Html | false {
  const buttons = [first, ...(site.actions ?? []).map((action) => buttonsOf(action, subject, site, next))].filter(
    Boolean,
  )
  return buttons.length > 0 && html`<div class="acts">${buttons}</div>\n`
}

/** Writes the buttons of one action; nothing while its module is off. */
export function actionHtml(key: string, subject: ActionSubject, site: Site, next: string): Html | false | undefined {
  const action = site.actions?.find((one) => one.key === key)
  return action && buttonsOf(action, subject, site, next)
}

/** The text of a page about the last form of its viewer. */
export function saidText(site: Site): string | undefined {
  const { said } = site.viewer ?? {}
  return said && site.actions?.find(({ key }) => key === said.action)?.said?.(said.outcome, site)
}

/** The id of the element with the outcome of the last form. */
export const SAID_ID = 'said'

/** The text about the last form of the viewer, when it was this one: beside its button. */
function saidHere(site: Site, action: string, id: number): string | undefined {
  const { said } = site.viewer ?? {}
  return said?.action === action && said.id === id ? saidText(site) : undefined
}

/** Attributes of the button that was pressed last: it has the focus again, and is described by what was done. */
const focusHere = html` autofocus aria-describedby="${SAID_ID}"`

const statusHtml = (text: string | undefined) =>
  text !== undefined && html`<p class="soft" role="status" id="${SAID_ID}">${text}</p>`

/** A form with one button. */
export interface ButtonForm {
  readonly action: string
  readonly id: number
  /** The path that the form is sent to. */
  readonly path: string
  readonly next: string
  readonly fields: Readonly<Record<string, string | undefined>>
  readonly label: string | Html
  /** Whether the button is on, for one that is switched on and off; the form then sends `on`. Default: it cannot be. */
  readonly isPressed?: boolean | undefined
}

/** Writes a form with one button. Beside it is what the form did, if it was the last one that the viewer sent. */
export function buttonForm(site: Site, form: ButtonForm): Html {
  const { action, id, path, next, fields, label, isPressed } = form
  const text = saidHere(site, action, id)
  const hidden = Object.entries({ ...fields, next }).filter(([, value]) => value !== undefined)
  return html`<form method="post" action="${hrefOn(site, path)}">${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button class="second" type="submit"${isPressed !== undefined && html` name="on" value="${isPressed ? '0' : '1'}" aria-pressed="${isPressed ? 'true' : 'false'}"`}${text !== undefined && focusHere}>${label}</button></form>${statusHtml(text)}`
}

/** A link to the page of a form. */
export interface ButtonLink {
  readonly action: string
  readonly id: number
  readonly href: string
  readonly label: string
  /** Whether it is a link without the look of a button. Default: false. */
  readonly isQuiet?: boolean | undefined
}

/** Writes a link to the page of a form. Beside it is what the form did, if it was the last one that the viewer sent. */
export function buttonLink(site: Site, { action, id, href, label, isQuiet = false }: ButtonLink): Html {
  const text = saidHere(site, action, id)
  return html`<a${!isQuiet && html` class="btn second"`} href="${hrefOn(site, href)}"${text !== undefined && focusHere}>${label}</a>${statusHtml(text)}`
}
