import { z } from 'zod'
import { PROFILE_TYPES } from '../../../model/profile-type.ts'
import { defineEvent } from '../../../runtime/events/define-event.ts'
import type { AboutProfile } from '../../../runtime/events/signals.ts'

const name = z.object({ type: z.enum(PROFILE_TYPES), username: z.string() })
/** Whether the profile was listed before the event. */
const shown = name.extend({ wasListed: z.boolean() })
const visibility = z.enum(['public', 'unlisted', 'private'])
const entity = z.object({ entity_id: z.int(), changed_fields: z.array(z.string()) })
const createdEntity = entity.describe('A profile became public')
const updatedEntity = entity.describe('Fields of a public profile changed')
const deletedEntity = entity.describe('A profile was deleted, or stopped being public')

interface NamedProfile {
  readonly type: string
  readonly username: string
}

/** The signal of a profile that became public. */
const created = ({ profileId }: AboutProfile) => ({
  type: 'entity.created',
  data: { entity_id: profileId, changed_fields: [] },
})

/** The signal that a profile stopped being public, for any reason. */
const deleted = ({ type, username }: NamedProfile, { profileId }: AboutProfile) => ({
  type: 'entity.deleted',
  data: { entity_id: profileId, changed_fields: [] },
  lastOf: { type, username },
})
/** The same signal, only for profiles that were listed before the event. */
const whenListed = {
  types: { 'entity.deleted': deletedEntity },
  of: (data: z.output<typeof shown>, event: AboutProfile) => (data.wasListed ? deleted(data, event) : undefined),
}
const ofProfile = { audience: 'public', subject: 'profile' } as const

export const profileCreated = defineEvent('profiles.profile_created', {
  ...ofProfile,
  data: name,
  signal: { types: { 'entity.created': createdEntity }, of: (_data, event) => created(event) },
  invalidates: ['profile'],
  changelog: true,
  emittedBy: 'owner',
  summary: 'A profile was created',
})
export const profileUpdated = defineEvent('profiles.profile_updated', {
  ...ofProfile,
  data: name.extend({
    fields: z.array(z.string()).readonly(),
    /** Only when it changed. */
    visibility: visibility.optional(),
    previousVisibility: visibility.optional(),
  }),
  signal: {
    types: { 'entity.updated': updatedEntity, 'entity.created': createdEntity, 'entity.deleted': deletedEntity },
    of({ fields, visibility, previousVisibility, ...named }, event) {
      if (previousVisibility === 'public' && visibility !== 'public') return deleted(named, event)
      if (previousVisibility !== undefined) return visibility === 'public' ? created(event) : undefined
      return { type: 'entity.updated', data: { entity_id: event.profileId, changed_fields: fields } }
    },
  },
  invalidates: ['profile', 'lists'],
  changelog: true,
  summary: 'Fields of a profile changed',
})
export const profileDeleted = defineEvent('profiles.profile_deleted', {
  ...ofProfile,
  data: shown,
  signal: whenListed,
  invalidates: ['profile', 'lists'],
  emittedBy: 'owner',
  summary: 'A profile was deleted',
})
export const profileWithdrawn = defineEvent('profiles.profile_withdrawn', {
  ...ofProfile,
  data: shown,
  signal: whenListed,
  invalidates: ['profile', 'lists'],
  summary: 'A profile is hidden because its account is scheduled for deletion',
})
export const profileRestored = defineEvent('profiles.profile_restored', {
  ...ofProfile,
  data: name,
  signal: { types: { 'entity.created': createdEntity }, of: (_data, event) => created(event) },
  invalidates: ['profile'],
  summary: 'A profile is shown again because the deletion of its account was cancelled',
})
export const didChanged = defineEvent('profiles.did_changed', {
  ...ofProfile,
  data: name.extend({ did: z.string(), previousDid: z.string() }),
  signal: {
    types: {
      'identity.did_updated': z.object({ entity_id: z.int(), did: z.string(), previous_did: z.string() }),
    },
    of: ({ did, previousDid }, { profileId }) => ({
      type: 'identity.did_updated',
      data: { entity_id: profileId, did, previous_did: previousDid },
    }),
  },
  summary: 'A profile was renamed and has a new DID',
})
export const profilePurged = defineEvent('profiles.profile_purged', {
  audience: 'internal',
  subject: 'profile',
  data: z.object({}),
  invalidates: ['profile', 'lists'],
  summary: 'A profile was removed with all that belonged to it: with its account, or after a deletion in parts',
})
/** Emitted when a profile is renamed together with its account. */
export const usernameChanged = defineEvent('accounts.username_changed', {
  audience: 'account',
  subject: 'account',
  data: z.object({ accountId: z.string(), username: z.string() }),
  invalidates: ['account', 'profile'],
  summary: 'The username of an account changed with that of its person profile',
})
export const profileEvents = [
  profileCreated,
  profileUpdated,
  profileDeleted,
  profileWithdrawn,
  profileRestored,
  didChanged,
  profilePurged,
  usernameChanged,
] as const
