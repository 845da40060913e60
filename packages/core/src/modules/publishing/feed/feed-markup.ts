import { type Html, html } from '../../../http/html/html.ts'
import { isBlank } from '../../../kernel/text-fields.ts'
import type { PostRecord } from './schemas.ts'

/** The path that hashtags link to. */
export const hashtagPath = (hashtag: string): string => `/feed/hashtags/${encodeURIComponent(hashtag)}`

/** Links of users carry no endorsement for search engines, and send no Referer. */
const REL = 'nofollow ugc noopener noreferrer'

const lines = (text: string): Html[] =>
  text.split('\n').map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`))

/** Renders the body of a post as HTML with escaped text. `href` turns a path of the service into a link. */
export function bodyHtml({ body, entities }: PostRecord, href: (address: string) => string): Html {
  const parts: Html[] = []
  let end = 0
  for (const entity of entities) {
    parts.push(...lines(body.slice(end, entity.start)))
    parts.push(entityHtml(entity, href))
    end = entity.end
  }
  return html`<p>${[...parts, ...lines(body.slice(end))]}</p>`
}

function entityHtml(entity: PostRecord['entities'][number], href: (address: string) => string): Html {
  switch (entity.type) {
    case 'link':
      return html`<a href="${entity.url}" rel="${REL}">${entity.text}</a>`
    case 'hashtag':
      return html`<a href="${href(hashtagPath(entity.hashtag))}">${entity.text}</a>`
    case 'mention':
      return html`<a href="${href(entity.profile.url)}">${entity.text}</a>`
  }
}

/** Returns the display name of the author. */
export const authorOf = ({ profile }: PostRecord): string => profile.full_name ?? profile.username

const MAX_TITLE = 80

/** Returns the beginning of a post as one line, or the name of its first attachment. */
export function titleOf({ body, attachments }: PostRecord): string {
  const text = isBlank(body) ? (attachments[0]?.filename ?? '') : body
  const line = [...text.replaceAll(/\s+/g, ' ').trim()]
  return line.length <= MAX_TITLE ? line.join('') : `${line.slice(0, MAX_TITLE - 1).join('')}…`
}
