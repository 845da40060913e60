export { gatedProfile, openProfile, shownTo } from './open-profile.ts'
