import type { ProfilePart } from '../../../framework/module/profile-part.ts'
import { html, proseHtml } from '../../../http/html/html.ts'
import { hrefOn } from '../../../http/html/view.ts'
import { inline, link, list } from '../../../kernel/markdown.ts'
import { dayText } from '../../../model/day-text.ts'
import { postPath } from '../../../model/resource-addresses.ts'
import type { FeedPost } from '../../../ports/storage/feed.ts'
import { profilePath } from '../../profiles/profiles/index.ts'
import { feedMessages } from './messages.ts'

/** The path of the posts of a profile. */
export const profileFeedPath = (profile: Parameters<typeof profilePath>[0]): string => `/feed${profilePath(profile)}`

/** The newest posts of a profile in its documents. Omits what other accounts change, such as likes. */
export const postsOfProfiles: ProfilePart<Pick<FeedPost, 'id' | 'body' | 'createdAt'>, 'feed'> = {
  key: 'feed',
  after: 'contents',
  limit: 5,
  title: (page) => feedMessages(page)('posts'),
  load: async ({ feed }, { id: profileId }, limit) =>
    (await feed.list({ of: 'profile', profileId, listed: true }, { limit })).items,
  json: (posts, { publicUrl }) =>
    posts.map(({ id, body, createdAt }) => ({
      id,
      url: `${publicUrl}${postPath(id)}`,
      body,
      created_at: createdAt.toISOString(),
    })),
  links(_posts, { profile, publicUrl }) {
    const path = profileFeedPath(profile)
    const record = { feed: `${publicUrl}${path}` }
    if (profile.visibility !== 'public') return { record }
    return {
      record,
      header: [
        { rel: 'alternate', href: `${path}.json`, type: 'application/feed+json', title: 'Posts' },
        { rel: 'alternate', href: `${path}.atom`, type: 'application/atom+xml', title: 'Posts' },
      ],
      feedPath: path,
    }
  },
  markdown: (posts, { publicUrl }) =>
    list(
      posts.map(
        ({ id, body, createdAt }) => `${link(createdAt.toISOString(), `${publicUrl}${postPath(id)}`)}: ${inline(body)}`,
      ),
    ),
  html: (posts, { profile }, site) =>
    posts.length > 0 &&
    html`<ul class="posts">${posts.map(({ id, body, createdAt }) => html`<li>${proseHtml(body)}<small><a href="${hrefOn(site, postPath(id))}"><time datetime="${createdAt.toISOString()}">${dayText(site, createdAt)}</time></a></small></li>`)}</ul><p class="soft"><a href="${hrefOn(site, profileFeedPath(profile))}">${feedMessages(site)('allPosts')}</a></p>`,
}
