import type { Caller } from '../../model/caller.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import { type Html, html } from './html.ts'
import { hrefOn, type Site } from './view.ts'

/** What the buttons of a page are about. */
export type ActionSubject =
  | { readonly kind: 'profile'; readonly id: number; readonly profile: Profile }
  | { readonly kind: 'page'; readonly id: number; readonly linkKey: string | undefined }
  | { readonly kind: 'post'; readonly id: number; readonly authorId: number; readonly isAlone: boolean }
  | { readonly kind: 'feed'; readonly id: 0 }

type Kind = ActionSubject['kind']
/** The subject of this kind. */
export type SubjectOf<Of extends Kind> = Extract<ActionSubject, { kind: Of }>

/** Where buttons are written. */
export interface ActionPlace<Of extends Kind, State> {
  readonly subject: SubjectOf<Of>
  readonly site: Site
  /** What {@link PageAction.load} returned for the subject; undefined on the page that everyone gets, and when it failed. */
  readonly state: State | undefined
  /** The path of the page, to which forms lead back. */
  readonly next: string
}

/** Buttons that a module adds to pages: forms that work without a script. */
export interface PageAction<Of extends Kind = Kind, State = unknown> {
  /** Unique; lower case letters and hyphens. */
  readonly key: string
  readonly on: Of
  /** Returns what the buttons show of the viewer, by the ids of the subjects. Default: nothing. */
  load?(subjects: readonly SubjectOf<Of>[], caller: Caller): Promise<ReadonlyMap<number, State>>
  /** The buttons; nothing when the viewer cannot use them. */
  html(place: ActionPlace<Of, State>): Html | false | undefined
  /** What the page says once the form was sent. */
  said?(outcome: string, site: Site): string | undefined
}

/** Returns an action as one of the list of all, which are called with their own subjects and states only. */
export const listedAction = <Of extends Kind, State>(action: PageAction<Of, State>): PageAction =>
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
export const hasActions = ({ actions = [] }: Site, kind: Kind): boolean => actions.some(({ on }) => on === kind)

/**
 * Writes the buttons that modules add to what a page shows.
 *
 * @param next - the path of the page
 */
export function actionsHtml(subject: ActionSubject, site: Site, next: string): Html | false {
  const buttons = (site.actions ?? []).map((action) => buttonsOf(action, subject, site, next)).filter(Boolean)
  return buttons.length > 0 && html`<div class="acts">${buttons}</div>\n`
}

/** Writes the buttons of one action; nothing while its module is off. */
export function actionHtml(key: string, subject: ActionSubject, site: Site, next: string): Html | false | undefined {
  const action = site.actions?.find((one) => one.key === key)
  return action && buttonsOf(action, subject, site, next)
}

/** What a page says about the last form of its viewer. */
export function saidText(site: Site): string | undefined {
  const { said } = site.viewer ?? {}
  return said && site.actions?.find(({ key }) => key === said.action)?.said?.(said.outcome, site)
}

/** The id of the element that says what the last form did. */
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
  readonly label: string
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
