import { type Html, html, noteHtml } from './html.ts'
import { sizedHref } from './image-href.ts'
import type { Site } from './view.ts'

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Writes the first letter of a name in a circle, for profiles without a picture. Screen readers skip it. */
function monogramHtml(name: string): Html {
  const [first] = segmenter.segment(name.trim())
  return html`<span class="face" aria-hidden="true"><bdi>${(first?.segment ?? '').toUpperCase()}</bdi></span>`
}

/**
 * Writes a portrait, or the first letter of a name in its place. Screen readers skip both.
 *
 * @param isFirst - whether it is at the top of the page, and loaded immediately. Default: it is loaded when it is nearly in view
 */
export const faceHtml = (name: string, picture: string | undefined, site: Pick<Site, 'has'>, isFirst = false): Html =>
  picture === undefined
    ? monogramHtml(name)
    : html`<img class="face" src="${sizedHref(picture, site, 'small')}" alt="" width="112" height="112"${!isFirst && html` loading="lazy"`} referrerpolicy="no-referrer">`

/** One entry of a list of pages, posts or hits. */
export interface Row {
  readonly href: string
  readonly title: string | Html
  /** By authors; shown on two lines. */
  readonly note?: string | Html | null | undefined
  /** The address of a picture beside it. */
  readonly thumbnail?: string | undefined
  /** Facts about it, such as its price and its date. */
  readonly marks?: readonly (string | Html | false | undefined)[] | undefined
}

/**
 * Writes an entry of a list with the class `rows`: its title, two lines of its text, and what is known about it.
 *
 * @param isHeading - whether its title is a heading below a heading of the second level. Default: false
 */
export function rowHtml({ href, title, note, thumbnail, marks = [] }: Row, isHeading = false): Html {
  const link = html`<a href="${href}"><bdi>${title}</bdi></a>`
  const known = marks.filter((mark) => mark !== false && mark !== undefined)
  const text = typeof note === 'object' && note !== null ? html`<p lang="">${note}</p>` : noteHtml(note)
  const picture =
    thumbnail && html`<img class="thumb" src="${thumbnail}" alt="" width="112" height="75" loading="lazy">`
  return html`<li>${isHeading ? html`<h3>${link}</h3>` : html`<strong>${link}</strong>`}${picture}${text}${known.length > 0 && html`<small>${known.map((mark, index) => [index > 0 && ' · ', mark])}</small>`}</li>\n`
}

/** Writes what a gated page asks for, with a lock. */
export const lockHtml = (text: string): Html => html`<span class="lock"><bdi>${text}</bdi></span>`

/** Writes the text of an empty list, with the next step if there is one. */
export const emptyHtml = (text: string, next?: Html | false): Html =>
  html`<div class="empty"><p>${text}</p>${next && html`<p>${next}</p>`}</div>`
