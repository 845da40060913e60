import type { ProfileExportFile } from '../../../framework/module/account-data.ts'
import { jsonMember } from '../../../framework/module/export-member.ts'
import { parseMember } from '../../../framework/module/parse-member.ts'
import type { ProfileImporter } from '../../../framework/module/profile-import.ts'
import { sectionsReplaced } from './events.ts'
import { serializeSection } from './profile-part.ts'
import { sectionsBody, toSections } from './schemas.ts'

const SECTIONS_PATH = 'smart-sections.json'

/** Exports the sections of a profile, including those for its team. */
export const exportOfProfile: ProfileExportFile<'smartSections'>['exportOfProfile'] = ({ read }) =>
  async function* ({ profile }) {
    const stored = await read.smartSections.get(profile.id)
    if (!stored || stored.sections.length === 0) return
    yield jsonMember(SECTIONS_PATH, { sections: stored.sections.map(serializeSection) }, stored.updatedAt)
  }

/** Imports the sections while the profile is hidden, so that gated ones are never open. */
export const createSectionImporter = (): ProfileImporter => ({
  reads: (path) => path === SECTIONS_PATH,
  async check(source) {
    const value = await source.json(SECTIONS_PATH)
    const sections = value === undefined ? [] : toSections(parseMember(SECTIONS_PATH, sectionsBody, value))
    return {
      counts: { sections: sections.length },
      *store({ profile, accountId, at, rewrite }) {
        if (sections.length === 0) return
        const rewritten = sections.map((section) => ({ ...section, body: rewrite(section.body) }))
        yield async (tx, emit) => {
          const stored = await tx.smartSections?.put({ profileId: profile.id, sections: rewritten, updatedAt: at })
          if (stored) emit(sectionsReplaced, { version: stored.version }, { profileId: profile.id, accountId })
        }
      },
    }
  },
})
