import { dayText } from '../../model/day-text.ts'
import { readingText } from '../../model/reading-time.ts'
import { type Html, html } from './html.ts'
import type { Site } from './view.ts'

/** Writes the day of a text and how long it takes to read. */
export const writtenHtml = ({ at, bytes }: { readonly at: Date; readonly bytes: number }, site: Site): Html =>
  html`<time datetime="${at.toISOString().slice(0, 10)}">${dayText(site, at)}</time> · ${readingText(site, bytes)}`
