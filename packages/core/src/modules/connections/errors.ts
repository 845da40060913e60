import { defineError } from '../../kernel/errors.ts'

export const cannotFollowItself = defineError('cannot_follow_itself', 400, 'A profile cannot follow itself')
