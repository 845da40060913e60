import { jsonMember, type ProfileExporter, textMember } from '../../../framework/module/export-member.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { serializeFields } from './serialize-profile.ts'
import type { ProfileService } from './service.ts'

/** The stored fields of a profile. */
const PROFILE_PATH = 'profile.json'

const serialize = (profile: Profile) => ({
  id: profile.id,
  ...serializeFields(profile),
  visibility: profile.visibility,
  apps: profile.apps,
  created_at: profile.createdAt.toISOString(),
  updated_at: profile.updatedAt.toISOString(),
})

/** A profile: its fields as JSON, with the email address for its owner, and its document as Markdown. */
export function createProfileExporter(profiles: Pick<ProfileService, 'didOf' | 'getWholeDocument'>): ProfileExporter {
  return async function* ({ profile, role }) {
    const email = role === 'owner' ? { email: profile.email } : {}
    yield jsonMember(PROFILE_PATH, { did: profiles.didOf(profile), ...serialize(profile), ...email }, profile.updatedAt)
    const document = await profiles.getWholeDocument(profile)
    if (document) yield textMember('profile.md', document.markdown(), profile.updatedAt)
  }
}
