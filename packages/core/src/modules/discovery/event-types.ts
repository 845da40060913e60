import type { EepEventType } from '../../events/catalog.ts'

/** The events that others may learn of. What is not named stays between the service and its host. */
const ANNOUNCED: { readonly [Type in EepEventType]?: string } = {
  'profiles.profile_created': 'A profile was made',
  'profiles.profile_updated': 'A profile changed',
  'profiles.profile_deleted': 'A profile is gone',
  'content.category_saved': 'A category of pages was made or changed',
  'content.category_deleted': 'A category of pages is gone',
  'content.page_saved': 'A page was published, changed or withdrawn',
  'content.page_deleted': 'A page is gone',
  'gates.config_changed': 'A profile changed what its content asks for',
  'services.service_listed': 'A profile lists a service',
  'services.service_updated': 'A service changed',
  'services.service_delisted': 'A service is no longer listed',
  'services.review_written': 'A buyer reviewed a service',
}

/** The event types that manifests declare. */
export const PUBLIC_EVENT_TYPES = Object.entries(ANNOUNCED).map(([type, description]) => ({ type, description }))
