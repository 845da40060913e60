import { defineError } from '../../../kernel/errors.ts'

export const cannotFollowItself = defineError('cannot_follow_itself', 400, 'A profile cannot follow itself')
export const followLimitReached = defineError(
  'follow_limit_reached',
  409,
  'The owner of this profile follows the maximum number of profiles of its plan; unfollow some or change the plan',
  { planLimit: true },
)
