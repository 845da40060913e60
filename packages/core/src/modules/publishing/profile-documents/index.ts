export { openProfile, resourceOf as fieldOfProfile, shownTo } from './open-profile.ts'
