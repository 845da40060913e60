import type { EepEventType } from '../../events/catalog.ts'

/** The events of a profile that its changelog tells of. */
export const PUBLIC_EVENTS = [
  'profiles.profile_created',
  'profiles.profile_updated',
  'content.page_saved',
] as const satisfies readonly EepEventType[]
