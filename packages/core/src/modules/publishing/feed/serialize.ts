import { gatedFields } from '../../../model/gated-fields.ts'
import { isPublicFile } from '../../../model/public-file.ts'
import { fileUrl, postPath } from '../../../model/resource-addresses.ts'
import type { FeedPost } from '../../../ports/storage/feed.ts'
import { type ProfileService, serializeProfileSummary, withoutFields } from '../../profiles/profiles/index.ts'
import { type PostEntity, parsePost } from './post-text.ts'
import type { PostRecord } from './schemas.ts'

type Addresses = Pick<ProfileService, 'didOf' | 'urlOf' | 'publicUrl'>

/** Serializes the reference to a post in events. */
export function addressOfPost({ publicUrl }: Pick<Addresses, 'publicUrl'>, postId: number) {
  const path = postPath(postId)
  return { postId, path, url: `${publicUrl}${path}` }
}

const serializeEntity = (
  entity: PostEntity,
  { mentions }: Pick<FeedPost, 'mentions'>,
  { didOf, urlOf }: Addresses,
): PostRecord['entities'] => {
  const { start, end, text } = entity
  switch (entity.type) {
    case 'hashtag':
      return [{ type: 'hashtag', start, end, text, hashtag: entity.hashtag }]
    case 'link':
      return [{ type: 'link', start, end, text, url: entity.url }]
    case 'mention': {
      const profile = mentions.find((mention) => mention.start === start)?.profile
      if (!profile) return []
      const { id, type, username } = profile
      const named = { id, did: didOf(profile), profile_type: type, username, url: urlOf(profile) }
      return [{ type: 'mention', start, end, text, profile: named }]
    }
  }
}

/** Leaves out files that were gated after they were attached. */
const openAttachments = ({ attachments, profile: { gates } }: FeedPost) =>
  attachments.filter(({ id }) => isPublicFile(gates, id))

/** Serializes a post without gated profile fields of its author and without gated attachments. */
export function serializePost(post: FeedPost, addresses: Addresses): PostRecord {
  const { publicUrl } = addresses
  const { entities, hashtags } = parsePost(post.body)
  return {
    id: post.id,
    url: `${publicUrl}${postPath(post.id)}`,
    profile: serializeProfileSummary(withoutFields(post.profile, gatedFields(post.profile.gates)), addresses),
    body: post.body,
    hashtags: [...hashtags],
    entities: entities.flatMap((entity) => serializeEntity(entity, post, addresses)),
    reply_to: post.replyTo,
    attachments: openAttachments(post).map(({ id, filename, contentType, size }) => ({
      id,
      filename,
      content_type: contentType,
      size,
      url: fileUrl(publicUrl, id),
    })),
    created_at: post.createdAt.toISOString(),
    counts: { ...post.counts },
  }
}
