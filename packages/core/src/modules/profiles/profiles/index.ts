export { typeOf } from './address.ts'
export { CAPABILITIES, capabilitiesOf, skillsOf } from './capabilities.ts'
export { activeProfileHeader } from './dashboard-schemas.ts'
export { didOf, didOfIssuer, isOwnDid, longestDid, profilePath, serviceDid, withOwnDids } from './did.ts'
export {
  emailNotVerified,
  notProfileOwner,
  profileDeleted,
  profileMoved,
  profileNotFound,
  tooManyDeletedProfiles,
  tooManyNames,
  usernameReserved,
  usernameTaken,
} from './errors.ts'
export { fieldsMarkdown } from './fields-markdown.ts'
export type { HiddenProfileRemover } from './hidden-profiles.ts'
export { idsOfNames } from './ids-of-names.ts'
export type { LinkKeys } from './link-keys.ts'
export { linkQuery } from './link-keys.ts'
export type { PublicProfile } from './lookup.ts'
export { mergeTypeData } from './merge-type-data.ts'
export { typeNames } from './messages.ts'
export type { MyProfiles } from './my-profiles.ts'
export { blankProfile } from './new-profile.ts'
export { isOwnField, withoutFields } from './own-fields.ts'
export { cardPortraitId, cardTexts, cardVersion } from './profile-card-html.ts'
export { PROFILE_MEMBERS } from './profile-members.ts'
export { createProfileScores, isComplete, type ProfileScores } from './profile-scores.ts'
export { profileSummary, serializeProfileSummary } from './profile-summary.ts'
export { listProfilesOfAccount } from './profiles-of-account.ts'
export { firstVisibility, showVerified } from './publication.ts'
export type { ProfileRestorer } from './restore-profile.ts'
export {
  editable as profileFields,
  profileParams,
  profileQuery,
  profileRecord,
  recordQuery,
  smartSection,
  usernameParams,
  VISIBILITIES,
} from './schemas.ts'
export type { ProfileService } from './service.ts'
export { didDocumentPath, serviceDidDocument } from './service-did-document.ts'
export type { ShownProfile } from './shown-fields.ts'
export type { StorageQuota } from './storage-quota.ts'
export { accountsOfTeam, isReachedBy, roleOfAccount } from './team.ts'
export { traitName } from './trait-names.ts'
export { labelOfTypeData } from './type-data-html.ts'
export { typeFact } from './type-fact.ts'
export { isReservedUsername, usernameSchema } from './username.ts'
export { usernameStem } from './username-stem.ts'
export { dependsOnReader, hasTeamItems, itemsOf } from './view.ts'
