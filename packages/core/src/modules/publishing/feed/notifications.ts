import { z } from 'zod'
import { defineNotification } from '../../../framework/module/define-notification.ts'
import { postPath } from '../../../model/resource-addresses.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { postPublished } from './events.ts'
import { feedNoticeMessages } from './messages.ts'

const post = z.object({ postId: z.int() })

/** Returns the author of the post that a post replies to. */
const repliedTo = async (replyTo: number | null, read: Readers): Promise<number | undefined> =>
  replyTo === null ? undefined : (await requireGroup(read, 'feed').feed.get(replyTo))?.profile.id

/** Whether everyone may see a post. Recipients of a notification might not be able to open others. */
const isListed = async (postId: number, read: Readers): Promise<boolean> =>
  (await requireGroup(read, 'feed').feed.get(postId))?.isListed === true

const mentions = defineNotification({
  kind: 'mention',
  summary: 'Posts that mention your profiles',
  email: 'daily',
  events: [postPublished],
  data: post,
  async notify({ profileId, data: { postId, mentions, replyTo, isNew } }, read) {
    if (!isNew || mentions.length === 0 || !(await isListed(postId, read))) return undefined
    // The author of the parent post gets a notification of the reply instead.
    const author = await repliedTo(replyTo, read)
    return mentions
      .filter((id) => id !== profileId && id !== author)
      .map((id) => ({ to: { profileId: id }, actorProfileId: profileId, data: { postId } }))
  },
  text({ actor, about, data: { postId }, ...reader }) {
    const say = feedNoticeMessages(reader)
    const named = { who: actor?.username ?? say('aProfile'), whom: about?.username ?? '' }
    return { title: say(about ? 'mentioned' : 'mentionedYou', named), link: postPath(postId) }
  },
})

const replies = defineNotification({
  kind: 'reply',
  summary: 'Replies to your posts',
  email: 'daily',
  events: [postPublished],
  data: post.extend({ replyTo: z.int() }),
  async notify({ profileId, data: { postId, replyTo, isNew } }, read) {
    if (!isNew) return undefined
    const author = await repliedTo(replyTo, read)
    if (author === undefined || author === profileId || replyTo === null) return undefined
    if (!(await isListed(postId, read))) return undefined
    return { to: { profileId: author }, actorProfileId: profileId, groupKey: `${replyTo}`, data: { postId, replyTo } }
  },
  text({ count, actor, about, data: { postId, replyTo }, ...reader }) {
    const say = feedNoticeMessages(reader)
    const named = { count, who: actor?.username ?? say('aProfile'), whom: about?.username ?? '' }
    const key = count > 1 ? 'manyReplied' : 'replied'
    return { title: say(about ? key : `${key}You`, named), link: postPath(count > 1 ? replyTo : postId) }
  },
})

export const feedNotifications = [mentions, replies] as const
