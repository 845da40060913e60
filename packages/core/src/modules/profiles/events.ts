import { z } from 'zod'
import { defineEvent } from '../../events/define-event.ts'
import { PROFILE_TYPES } from '../../model/profile-type.ts'

const name = z.object({ type: z.enum(PROFILE_TYPES), username: z.string() })
const ofProfile = { audience: 'public', subject: 'profile' } as const

export const profileCreated = defineEvent('profiles.profile_created', {
  ...ofProfile,
  data: name,
  signal: 'entity.created',
  invalidates: ['profile'],
  changelog: true,
  emittedBy: 'owner',
  summary: 'A profile was created',
})
export const profileUpdated = defineEvent('profiles.profile_updated', {
  ...ofProfile,
  data: name.extend({ fields: z.array(z.string()).readonly() }),
  signal: 'entity.updated',
  invalidates: ['profile', 'lists'],
  changelog: true,
  summary: 'Fields of a profile changed',
})
export const profileDeleted = defineEvent('profiles.profile_deleted', {
  ...ofProfile,
  data: name,
  signal: 'entity.deleted',
  invalidates: ['profile', 'lists'],
  emittedBy: 'owner',
  summary: 'A profile was deleted',
})
export const profileWithdrawn = defineEvent('profiles.profile_withdrawn', {
  ...ofProfile,
  data: name,
  invalidates: ['profile', 'lists'],
  summary: 'A profile is hidden because its account is scheduled for deletion',
})
export const profileRestored = defineEvent('profiles.profile_restored', {
  ...ofProfile,
  data: name,
  invalidates: ['profile'],
  summary: 'A profile is shown again because its account stays',
})
export const profilePurged = defineEvent('profiles.profile_purged', {
  audience: 'internal',
  subject: 'profile',
  data: z.object({}),
  invalidates: ['profile', 'lists'],
  summary: 'A profile was purged with its account',
})
/** Emitted when a profile is renamed together with its account. */
export const usernameChanged = defineEvent('accounts.username_changed', {
  audience: 'account',
  subject: 'account',
  data: z.object({ accountId: z.string(), username: z.string() }),
  invalidates: ['account', 'profile'],
  summary: 'An account got the new username of its person profile',
})
/** Emitted for a file that is deleted by itself or with a change of its profile. */
export const fileDeleted = defineEvent('files.file_deleted', {
  audience: 'internal',
  subject: 'profile',
  data: z.object({ fileId: z.int() }),
  invalidates: ['profile'],
  summary: 'A file was deleted',
})

export const profileEvents = [
  profileCreated,
  profileUpdated,
  profileDeleted,
  profileWithdrawn,
  profileRestored,
  profilePurged,
  usernameChanged,
  fileDeleted,
] as const
