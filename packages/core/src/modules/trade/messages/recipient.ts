import { typeOf } from '../../profiles/profiles/index.ts'
import type { MessageTarget } from './sending.ts'

/** Converts the address or id of a profile to a message target. Throws `profile_not_found` for an unknown prefix. */
export const recipientOf = (to: string | number): Exclude<MessageTarget, { conversationId: string }> => {
  if (typeof to === 'number') return { profileId: to }
  const [prefix = '', username = ''] = to.split('/')
  return { type: typeOf(prefix), username }
}
