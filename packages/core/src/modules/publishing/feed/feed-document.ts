import { paginationOf } from '../../../http/documents/lists.ts'
import type { PublicDocument } from '../../../http/documents/public-document.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { imageHref } from '../../../http/html/image-href.ts'
import { type ActionSubject, actionsHtml, hasActions } from '../../../http/html/page-actions.ts'
import { emptyHtml, faceHtml } from '../../../http/html/pieces.ts'
import { titleHtml } from '../../../http/html/title.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { isolated, withoutIsolates } from '../../../kernel/isolation.ts'
import { documentOf, inline, link, paragraphsWithLinks } from '../../../kernel/markdown.ts'
import type { Page } from '../../../kernel/page.ts'
import { momentText } from '../../../model/day-text.ts'
import type { PageLanguage } from '../../../model/messages.ts'
import { authorOf, bodyHtml, titleOf } from './feed-markup.ts'
import { writeAtom, writeJsonFeed } from './feed-writers.ts'
import { feedMessages } from './messages.ts'
import type { PostRecord } from './schemas.ts'

/** The title of a list of posts: a text of {@link feedMessages}, or a hashtag. */
export type FeedTitle =
  | { readonly key: 'feedOf' | 'postsOf'; readonly name: string }
  | { readonly key: 'posts' | 'following' | 'replies' }
  | { readonly hashtag: string }

function titleIn(page: PageLanguage, title: FeedTitle): string {
  if ('hashtag' in title) return isolated(`#${title.hashtag}`)
  return feedMessages(page)(title.key, 'name' in title ? { name: title.name } : {})
}

/** A list of posts to render, with its addresses. */
export interface FeedView {
  /** A text of the page, with its values; documents for programs have it in English. */
  readonly title: FeedTitle
  /** Without a format suffix. */
  readonly path: string
  /** The profile whose posts it has, to which its team adds posts. Default: it is not the feed of one profile. */
  readonly profileId?: number | undefined
  readonly limit: number
  readonly page: Omit<Page<unknown>, 'items'>
  readonly posts: readonly PostRecord[]
}

interface DocumentOptions {
  readonly publicUrl: string
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Feeds change at any time, so caches must revalidate. */
const CACHE_CONTROL = 'public, no-cache'

const when = (post: PostRecord) => post.created_at.slice(0, 16).replace('T', ' ')
const countsText = ({ counts }: PostRecord) => `Likes: ${counts.likes}, replies: ${counts.replies}`

function postMarkdown(post: PostRecord, level: '#' | '##', publicUrl: string): string {
  const files = post.attachments.map(({ filename, url }) => `- ${link(filename, url)}`)
  const parent = post.reply_to === null ? '' : link('In reply to', `${publicUrl}/feed/posts/${post.reply_to}`)
  return documentOf(
    `${level} ${inline(authorOf(post))}, ${when(post)} UTC`,
    parent,
    paragraphsWithLinks(post.body),
    files.join('\n'),
    `${countsText(post)}. ${link('Post', post.url)}, ${link('author', post.profile.url)}`,
  ).trim()
}

/** What the buttons of a post are about. */
const subjectOf = ({ id, profile }: PostRecord, isAlone: boolean): ActionSubject => ({
  kind: 'post',
  id,
  authorId: profile.id,
  isAlone,
})

/** The feed of the service, which anyone with a profile can add a post to. */
const FEED_PATH = '/feed'

/** The feed that a list shows, and that posts can be added to. Undefined for other lists. */
function feedOf({ path, profileId }: Pick<FeedView, 'path' | 'profileId'>): ActionSubject | undefined {
  if (path === FEED_PATH) return { kind: 'feed', id: 0 }
  return profileId === undefined ? undefined : { kind: 'feed', id: profileId }
}

function postHtml(post: PostRecord, site: Site, next: string, isAlone = false): Html {
  const say = feedMessages(site)
  const href = (address: string) => hrefOn(site, address)
  return html`<article class="card">
<div class="byline">${faceHtml(authorOf(post), imageHref(post.profile.avatar_url, site), site)}<div><a href="${href(post.profile.url)}"><bdi>${authorOf(post)}</bdi></a><br><small><a href="${href(post.url)}"><time datetime="${post.created_at}">${momentText(site, new Date(post.created_at))}</time></a></small></div></div>
${post.reply_to !== null && html`<p><a href="${href(`/feed/posts/${post.reply_to}`)}">${say('inReplyTo')}</a></p>`}
<div lang="">${bodyHtml(post, href)}</div>
${post.attachments.length > 0 && html`<ul>${post.attachments.map(({ filename, url }) => html`<li><a href="${href(url)}"><bdi>${filename}</bdi></a></li>`)}</ul>`}
<p class="soft">${say('counts', post.counts)}</p>
${actionsHtml(subjectOf(post, isAlone), site, next)}</article>`
}

/** Renders a list of posts as a public document. */
export function feedDocument(view: FeedView, { publicUrl, headers }: DocumentOptions): PublicDocument {
  const { path, limit, page, posts } = view
  const feed = feedOf(view)
  const title = withoutIsolates(titleIn({ language: 'en' }, view.title))
  const query =
    page.nextCursor === undefined ? undefined : new URLSearchParams({ limit: String(limit), cursor: page.nextCursor })
  const nextAt = (suffix: string) => query && `${path}${suffix}?${query}`
  const next = nextAt('')
  const infoOf = (suffix: string) => {
    const nextUrl = nextAt(suffix)
    return {
      title,
      url: `${publicUrl}${path}`,
      feedUrl: `${publicUrl}${path}${suffix}`,
      nextUrl: nextUrl && `${publicUrl}${nextUrl}`,
    }
  }
  return {
    data: { data: posts.map((post) => ({ ...post })), pagination: paginationOf(page) },
    markdown: () =>
      documentOf(
        `# ${inline(title)}`,
        posts.length > 0 ? posts.map((post) => postMarkdown(post, '##', publicUrl)).join('\n\n') : 'Nothing yet.',
        next ? link('More', `${publicUrl}${next}`) : '',
      ),
    html: (site): HtmlView => ({
      title: titleIn(site, view.title),
      hasForm: hasActions(site, 'post'),
      head: html`<h1>${titleIn(site, view.title)}</h1>
${feed && actionsHtml(feed, site, path)}${posts.length > 0 ? posts.map((post) => postHtml(post, site, path)) : emptyHtml(feedMessages(site)('none'))}
${next && html`<p><a rel="next" href="${hrefOn(site, next)}">${feedMessages(site)('more')}</a></p>`}`,
    }),
    subjects: [...(feed ? [feed] : []), ...posts.map((post) => subjectOf(post, false))],
    feed: {
      path,
      jsonFeed: () => writeJsonFeed(infoOf('.json'), posts, publicUrl),
      atom: () => writeAtom(infoOf('.atom'), posts, publicUrl),
    },
    headers,
    links: next ? [{ rel: 'next', href: next }] : [],
    cacheControl: CACHE_CONTROL,
  }
}

/** Renders one post as a public document. Feed formats contain a feed with this post alone. */
export function postDocument(post: PostRecord, path: string, { publicUrl, headers }: DocumentOptions): PublicDocument {
  const title = `${authorOf(post)}: ${titleOf(post)}`
  const info = (suffix: string) => ({
    title,
    url: post.url,
    feedUrl: `${post.url}${suffix}`,
    nextUrl: undefined,
  })
  return {
    data: { ...post },
    markdown: () => documentOf(postMarkdown(post, '#', publicUrl), link('Replies', `${post.url}/replies`)),
    html: (site): HtmlView => ({
      title,
      description: post.body,
      kind: 'article',
      hasForm: hasActions(site, 'post'),
      crumbs: [{ name: authorOf(post), href: post.profile.url }],
      head: html`${titleHtml(authorOf(post))}
${postHtml(post, site, path, true)}
<p><a href="${hrefOn(site, `${path}/replies`)}">${feedMessages(site)('replies')}</a></p>`,
    }),
    subjects: [subjectOf(post, true)],
    feed: {
      path,
      jsonFeed: () => writeJsonFeed(info('.json'), [post], publicUrl),
      atom: () => writeAtom(info('.atom'), [post], publicUrl),
    },
    headers,
    links: [
      { rel: 'canonical', href: post.url },
      { rel: 'author', href: post.profile.url },
    ],
    cacheControl: CACHE_CONTROL,
  }
}
