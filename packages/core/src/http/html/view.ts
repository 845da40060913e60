import type { JsonObject } from '../../kernel/json.ts'
import { pathBelow } from '../../kernel/public-url.ts'
import type { Caller } from '../../model/caller.ts'
import type { PageLanguage } from '../../model/messages.ts'
import type { ActivePattern } from '../../ports/storage/entitlements.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import type { Html } from './html.ts'
import type { ImageSizes } from './markdown-to-html.ts'
import type { RenderMarkdown } from './render-markdown.ts'
import type { PageScript } from './script.ts'
import type { Appearance, StyleSheet } from './style.ts'

/** What the buttons of a page are about. */
export type ActionSubject =
  | { readonly kind: 'profile'; readonly id: number; readonly profile: Profile }
  | { readonly kind: 'page'; readonly id: number; readonly linkKey: string | undefined }
  | { readonly kind: 'post'; readonly id: number; readonly authorId: number; readonly isAlone: boolean }
  /** The feed of the service, 0, or of the profile with this id. */
  | { readonly kind: 'feed'; readonly id: number }
  | { readonly kind: 'account'; readonly id: 0 }

/** A kind of what buttons are about. */
export type ActionKind = ActionSubject['kind']

/** The subject of this kind. */
export type SubjectOf<Of extends ActionKind> = Extract<ActionSubject, { kind: Of }>

/** Where buttons are written. */
export interface ActionPlace<Of extends ActionKind, State> {
  readonly subject: SubjectOf<Of>
  readonly site: Site
  /** What {@link PageAction.load} returned for the subject; undefined on the page that everyone gets, and when it failed. */
  readonly state: State | undefined
  /** The path of the page, to which forms lead back. */
  readonly next: string
}

/** Buttons that a module adds to pages: forms that work without a script. */
export interface PageAction<Of extends ActionKind = ActionKind, State = unknown> {
  /** Unique; lower case letters and hyphens. */
  readonly key: string
  readonly on: Of
  /** Returns what the buttons show of the viewer, by the ids of the subjects. Default: nothing. */
  load?(subjects: readonly SubjectOf<Of>[], caller: Caller): Promise<ReadonlyMap<number, State>>
  /** The buttons; nothing when the viewer cannot use them. */
  html(place: ActionPlace<Of, State>): Html | false | undefined
  /** The text of the page after the form was sent. */
  said?(outcome: string, site: Site): string | undefined
}

/** What the last form of a browser did: its action, what it was about, and the outcome. */
export interface Said {
  readonly action: string
  readonly id: number
  readonly outcome: string
}

/** The person that a page is made for. Such a page is neither cached nor shared. */
export interface Viewer {
  readonly caller: Caller
  /** The URL of its picture. Default: a letter is shown. */
  readonly portrait?: string | null | undefined
  /** What the last form of this browser did. Shown once. */
  readonly said?: Said | undefined
  /** What actions of the page know of the viewer; see `loadActionStates`. */
  readonly states?: ReadonlyMap<string, unknown> | undefined
  /** The patterns that the viewer bought, or was granted, at the profile of the page. */
  readonly held?: readonly ActivePattern[] | undefined
}

/** The service, the listener that serves a page, and the language of the page. */
export interface Site extends PageLanguage {
  readonly name: string
  readonly publicUrl: string
  readonly renderMarkdown: RenderMarkdown
  /** The prefix of the listener: empty, or `/api`. */
  readonly basePath: string
  /** The port of the listener, while it listens on one. */
  readonly port?: (() => number | undefined) | undefined
  /** Whether pages load images from other origins, which reveals readers' addresses to those origins. */
  readonly remoteImages?: boolean | undefined
  /** Whether the listener has a GET route with this path, as registered. */
  readonly has?: ((path: string) => boolean) | undefined
  /** The look that the host chose. Default: the look of the service. */
  readonly appearance?: Appearance | undefined
  /** The path of a logo, with its version. */
  readonly logoPath?: string | undefined
  /** The URL of a map, with `{lat}` and `{lng}`. */
  readonly mapUrl?: string | undefined
  readonly imprintUrl?: string | undefined
  readonly privacyUrl?: string | undefined
  /** The languages that visitors can choose. Default: the pages are in one. */
  readonly languages?: readonly string[] | undefined
  /** The buttons that modules add to pages. */
  readonly actions?: readonly PageAction[] | undefined
  /** The person that the page is made for. Default: it is the page that everyone gets. */
  readonly viewer?: Viewer | undefined
  /** Whether pages say that no money moves. Default: false. */
  readonly isSandbox?: boolean | undefined
  /** Whether forms describe themselves to agents in browsers (WebMCP). Default: false. */
  readonly webMcp?: boolean | undefined
}

export interface Crumb {
  readonly name: string
  readonly href: string
}

/** A document as an HTML page. `markdown` is sanitised; everything else is trusted or escaped. */
export interface HtmlView {
  /** The title above the text. Default: the heading of its Markdown. */
  readonly title?: string | undefined
  readonly description?: string | null | undefined
  readonly kind?: 'profile' | 'article' | 'website' | undefined
  /** The URL of the picture of its previews. */
  readonly image?: string | null | undefined
  /** Whether the picture is a card of 1200 by 630 pixels. Default: unknown. */
  readonly hasCard?: boolean | undefined
  /** The color of links and buttons, `#rrggbb`. Default: that of the service. */
  readonly accent?: string | null | undefined
  /** The breadcrumbs, from the top, without the document itself. */
  readonly crumbs?: readonly Crumb[] | undefined
  readonly jsonLd?: JsonObject | undefined
  /** Whether the page has a form that is sent to this service. Default: false. */
  readonly hasForm?: boolean | undefined
  /** Origins that its forms may lead to after a redirect, for example `https://checkout.example`. Default: none. */
  readonly formTargets?: readonly string[] | undefined
  /** Whether the page shows other documents of this service in frames. Default: false. */
  readonly hasFrame?: boolean | undefined
  /** Whether the page loads the script of the service. Default: false. */
  readonly hasScript?: boolean | undefined
  /** Shown above the Markdown; includes the heading, which gets the id when the Markdown repeats it. */
  readonly head?: Html | ((headingId: string | undefined) => Html) | undefined
  /** The language of its title and its text, if they are in another one than the page. Default: that of the page for the title, unknown for the text. */
  readonly textLanguage?: 'en' | undefined
  /** `wide` for pages of two columns and grids, `console` for those with a navigation beside them. Default: one column for reading. */
  readonly layout?: 'wide' | 'console' | undefined
  /** The navigation beside the content of a page of the console. */
  readonly side?: Html | undefined
  /** Rules that only such pages have, beside those of every page. Default: none. */
  readonly styles?: readonly StyleSheet[] | undefined
  /** Scripts beside that of all pages, when the page has scripts. Default: none. */
  readonly scripts?: readonly PageScript[] | undefined
  /** The text about the last form of the viewer. Default: that of the action. */
  readonly said?: ((said: Said) => string | undefined) | undefined
  /** Untrusted text. */
  readonly markdown?: string | undefined
  /** Width and height of the images in it. */
  readonly imageSizes?: ImageSizes | undefined
  /** Whether the page lists the sections of the Markdown. */
  readonly sections?: boolean | undefined
  /** Shown below the Markdown. */
  readonly foot?: Html | undefined
}

/** The part of a view above its Markdown, with the id of the heading. */
export const headOf = ({ head }: HtmlView, headingId?: string | undefined): Html | undefined =>
  typeof head === 'function' ? head(headingId) : head

/** Rewrites a URL of this service for the listener that serves the page; returns others unchanged. */
export function hrefOn({ publicUrl, basePath }: Pick<Site, 'publicUrl' | 'basePath'>, address: string): string {
  if (address.startsWith('/')) return `${basePath}${address}`
  const path = pathBelow(publicUrl, address)
  return path === undefined ? address : `${basePath}${path || '/'}`
}
