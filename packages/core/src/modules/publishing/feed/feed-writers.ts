import type { Html } from '../../../http/html/html.ts'
import { escapeHtml } from '../../../kernel/escape-html.ts'
import { withoutTricks } from '../../../kernel/markdown.ts'
import { authorOf, bodyHtml, titleOf } from './feed-markup.ts'
import type { PostRecord } from './schemas.ts'

/** The metadata of a feed. URLs are absolute. */
export interface FeedInfo {
  readonly title: string
  /** The HTML page. */
  readonly url: string
  /** The URL of the feed in this format. */
  readonly feedUrl: string
  readonly nextUrl: string | undefined
}

const absolute = (publicUrl: string) => (address: string) =>
  address.startsWith('/') ? `${publicUrl}${address}` : address

/** Writes posts as a [JSON Feed 1.1](https://www.jsonfeed.org/version/1.1/). */
export function writeJsonFeed(info: FeedInfo, posts: readonly PostRecord[], publicUrl: string): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: info.title,
    home_page_url: info.url,
    feed_url: info.feedUrl,
    ...(info.nextUrl === undefined ? {} : { next_url: info.nextUrl }),
    items: posts.map((post) => ({
      id: post.url,
      url: post.url,
      content_html: bodyHtml(post, absolute(publicUrl)).markup,
      content_text: withoutTricks(post.body),
      date_published: post.created_at,
      authors: [
        {
          name: authorOf(post),
          url: post.profile.url,
          ...(post.profile.avatar_url === null ? {} : { avatar: post.profile.avatar_url }),
        },
      ],
      tags: post.hashtags,
      attachments: post.attachments.map(({ url, content_type, filename, size }) => ({
        url,
        mime_type: content_type,
        title: filename,
        size_in_bytes: size,
      })),
    })),
  })
}

/** Characters that XML 1.0 does not allow, even escaped. */
const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const xml = (text: string) => escapeHtml(withoutTricks(text).replaceAll(NOT_XML, ''))
const link = (rel: string, href: string, more = '') => `<link rel="${rel}" href="${xml(href)}"${more}/>`

function writeEntry(post: PostRecord, content: Html): string {
  const author = `<author><name>${xml(authorOf(post))}</name><uri>${xml(post.profile.url)}</uri></author>`
  const enclosures = post.attachments.map(({ url, content_type, size, filename }) =>
    link('enclosure', url, ` type="${xml(content_type)}" length="${size}" title="${xml(filename)}"`),
  )
  return [
    '<entry>',
    `<id>${xml(post.url)}</id>`,
    `<title>${xml(titleOf(post))}</title>`,
    `<published>${post.created_at}</published>`,
    // Posts cannot be edited.
    `<updated>${post.created_at}</updated>`,
    author,
    link('alternate', post.url, ' type="text/html"'),
    ...post.hashtags.map((hashtag) => `<category term="${xml(hashtag)}"/>`),
    ...enclosures,
    `<content type="html">${xml(content.markup)}</content>`,
    '</entry>',
  ].join('\n')
}

/** Writes posts as an Atom feed (RFC 4287). `updated` of an empty feed is 1970-01-01. */
export function writeAtom(info: FeedInfo, posts: readonly PostRecord[], publicUrl: string): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${xml(info.url)}</id>`,
    `<title>${xml(info.title)}</title>`,
    `<updated>${posts[0]?.created_at ?? new Date(0).toISOString()}</updated>`,
    link('self', info.feedUrl, ' type="application/atom+xml"'),
    link('alternate', info.url, ' type="text/html"'),
    ...(info.nextUrl === undefined ? [] : [link('next', info.nextUrl)]),
    ...posts.map((post) => writeEntry(post, bodyHtml(post, absolute(publicUrl)))),
    '</feed>',
    '',
  ].join('\n')
}
