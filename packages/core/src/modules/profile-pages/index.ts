export { gatedProfile, shownTo } from './open-profile.ts'
