export { openProfile, shownTo } from './open-profile.ts'
