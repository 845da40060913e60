import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'

const post = z.object({ postId: z.int(), path: z.string(), url: z.string() })
const posted = z.object({
  entity_id: z.int(),
  post_id: z.int(),
  url: z.string(),
  hashtags: z.array(z.string()),
  mentions: z.array(z.int()).describe('The ids of the mentioned profiles'),
  reply_to: z.int().nullable().describe('The id of the post that this one replies to'),
})

export const postPublished = defineEvent('feed.post_published', {
  audience: 'public',
  subject: 'profile',
  data: post.extend({
    hashtags: z.array(z.string()).readonly(),
    mentions: z.array(z.int()).readonly(),
    replyTo: z.int().nullable(),
    isNew: z.boolean().describe('False when an administrator shows a hidden post again'),
  }),
  signal: {
    types: { 'feed.posted': posted },
    of: ({ postId, path, url, hashtags, mentions, replyTo }, { profileId }) => ({
      type: 'feed.posted',
      data: { entity_id: profileId, post_id: postId, url, hashtags, mentions, reply_to: replyTo },
      subject: path,
      postId,
    }),
  },
  invalidates: ['profile'],
  summary: 'A profile published a post',
})

/** Emitted while the profile is hidden; `profiles.profile_created` follows when everyone can see the posts. */
export const postsImported = defineEvent('feed.posts_imported', {
  audience: 'internal',
  subject: 'profile',
  data: z.object({ postIds: z.array(z.int()).readonly() }),
  summary: 'Posts were imported with their profile',
})
export const postRemoved = defineEvent('feed.post_removed', {
  audience: 'public',
  subject: 'profile',
  data: post,
  signal: {
    types: { 'feed.removed': z.object({ entity_id: z.int(), post_id: z.int(), url: z.string() }) },
    of: ({ postId, path, url }, { profileId }) => ({
      type: 'feed.removed',
      data: { entity_id: profileId, post_id: postId, url },
      subject: path,
    }),
  },
  invalidates: ['profile', 'lists'],
  summary: 'A post was deleted by its author, or removed by an administrator',
})

export const feedEvents = [postPublished, postsImported, postRemoved] as const
