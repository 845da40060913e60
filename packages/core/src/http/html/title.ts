import { textDirection } from '../../kernel/text-direction.ts'
import { type Html, html } from './html.ts'

/** The heading of a page that is a title or a name alone, as somebody wrote it. It begins on the side where it is read from. */
export const titleHtml = (title: string, id?: string | undefined): Html =>
  html`<h1${id !== undefined && html` id="${id}"`} dir="${textDirection(title)}"><bdi>${title}</bdi></h1>`
