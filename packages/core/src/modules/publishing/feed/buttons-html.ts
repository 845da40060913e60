import { html } from '../../../http/html/html.ts'
import { buttonForm, buttonLink, listedAction, type PageAction } from '../../../http/html/page-actions.ts'
import { withNext } from '../../../http/html/sign-in-path.ts'
import type { Site } from '../../../http/html/view.ts'
import { postPath } from '../../../model/resource-addresses.ts'
import { feedMessages } from './messages.ts'
import { LIKE_FORM, postFormHtml } from './post-form-html.ts'
import { profileFeedPath } from './profile-part.ts'
import type { FeedService } from './service.ts'

type Feed = Pick<FeedService, 'mayPost' | 'likedOf'>

const likeButton = ({ likedOf }: Feed): PageAction<'post', boolean> => ({
  key: 'post-like',
  on: 'post',
  async load(subjects, caller) {
    const ids = subjects.map(({ id }) => id)
    const liked = await likedOf(ids, caller)
    return new Map(ids.map((id) => [id, liked.has(id)]))
  },
  html: ({ subject: { id }, site, state, next }) =>
    buttonForm(site, {
      action: 'post-like',
      id,
      path: LIKE_FORM,
      next,
      fields: { post: String(id) },
      label: feedMessages(site)('like'),
      isPressed: state ?? false,
    }),
  said: (outcome, site) => feedMessages(site)(outcome === 'off' ? 'likeOff' : 'likeOn'),
})

const signInLink = (site: Site, action: string, id: number, next: string, label: string) =>
  site.has?.('/login') && buttonLink(site, { action, id, href: withNext('/login', next), label })

/** Below a post on its page, the form that replies; elsewhere the link to it. */
const replyButton = ({ mayPost }: Feed): PageAction<'post', boolean> => ({
  key: 'post-reply',
  on: 'post',
  async load(subjects, caller) {
    const may = await mayPost({ caller })
    return new Map(subjects.map(({ id }) => [id, may]))
  },
  html({ subject: { id, isAlone }, site, state, next }) {
    const say = feedMessages(site)
    if (state === false) return undefined
    if (!isAlone) return html`<a href="${site.basePath}${postPath(id)}#text">${say('reply')}</a>`
    if (site.viewer) return postFormHtml(site, { replyTo: id, next })
    return signInLink(site, 'post-reply', id, next, say('signInToReply'))
  },
  said: (_outcome, site) => feedMessages(site)('replied'),
})

/** The profile that posts to a feed: that of the feed. To the feed of the service, the person profile of the account posts. */
const authorOf = (id: number) => (id === 0 ? undefined : id)

/** The form that posts, above the feed of the service and of a profile of the viewer. */
const postButton = ({ mayPost }: Feed): PageAction<'feed', boolean> => ({
  key: 'post-write',
  on: 'feed',
  async load(subjects, caller) {
    const states = subjects.map(
      async ({ id }) => [id, await mayPost({ caller, activeProfileId: authorOf(id) })] as const,
    )
    return new Map(await Promise.all(states))
  },
  html({ subject: { id }, site, state, next }) {
    if (state === false || (id !== 0 && state === undefined)) return undefined
    if (site.viewer) return postFormHtml(site, { profileId: authorOf(id), next })
    return signInLink(site, 'post-write', id, next, feedMessages(site)('signInToPost'))
  },
  said: (_outcome, site) => feedMessages(site)('posted'),
})

/** On the profiles of a viewer, the link to the form that posts. */
const profilePostLink = ({ mayPost }: Feed): PageAction<'profile', boolean> => ({
  key: 'profile-post',
  on: 'profile',
  async load(subjects, caller) {
    const states = subjects.map(async ({ id }) => [id, await mayPost({ caller, activeProfileId: id })] as const)
    return new Map(await Promise.all(states))
  },
  html: ({ subject: { id, profile }, site, state }) =>
    state === true &&
    buttonLink(site, {
      action: 'profile-post',
      id,
      href: `${profileFeedPath(profile)}#text`,
      label: feedMessages(site)('writePost'),
    }),
})

/** The buttons and forms on pages with posts and profiles. */
export const feedButtons = (feed: Feed) => [
  listedAction(profilePostLink(feed)),
  listedAction(likeButton(feed)),
  listedAction(replyButton(feed)),
  listedAction(postButton(feed)),
]
