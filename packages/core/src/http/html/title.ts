import { textDirection } from '../../kernel/text-direction.ts'
import { type Html, html } from './html.ts'

/** Writes the heading of a page that consists of a title or a name of an author. It is aligned by its direction, not by that of the page. */
export const titleHtml = (title: string, id?: string | undefined): Html =>
  html`<h1${id !== undefined && html` id="${id}"`} dir="${textDirection(title)}"><bdi>${title}</bdi></h1>`
