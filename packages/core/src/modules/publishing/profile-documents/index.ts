export { openProfile, shownTo } from './open-profile.ts'
export { resourceOf as fieldOfProfile } from './open-profile.ts'
