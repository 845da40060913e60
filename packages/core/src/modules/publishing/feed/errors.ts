import { defineError } from '../../../kernel/errors.ts'

export const postNotFound = defineError('post_not_found', 404, 'Post not found')
export const activeProfileRequired = defineError(
  'active_profile_required',
  400,
  'Send X-Active-Profile-Id with the id of the profile whose feed to read',
)
export const replyTargetGone = defineError(
  'reply_target_gone',
  409,
  'The post that this one replies to no longer exists',
)
export const tooManyPosts = defineError('too_many_posts', 429, 'The account has posted too often; try again later')
export const tooManyLinks = defineError(
  'too_many_links',
  400,
  'The post has more links than the account may use in one post',
)
export const invalidAttachment = defineError(
  'invalid_attachment',
  400,
  'Attachments must be files of the acting profile that are not gated',
)
export const postingClosed = defineError(
  'posting_closed',
  403,
  'An administrator has suspended posting for this account',
)
export const posterNotFound = defineError('poster_not_found', 404, 'Account not found')
export const postLimitReached = defineError(
  'post_limit_reached',
  409,
  'The owner of this profile has the maximum number of posts of its plan; delete some or change the plan',
  { planLimit: true },
)
