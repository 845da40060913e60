import type { ProfileImporter } from '../../../framework/module/profile-import.ts'
import { CATEGORIES_PATH, isPageMember } from './export-content.ts'
import type { ContentImportDeps } from './import-content.ts'

/** Imports the content of an archive. Its code is loaded with the first archive, because most hosts import none. */
export const contentImporter = (deps: ContentImportDeps): ProfileImporter => ({
  reads: (path) => path === CATEGORIES_PATH || isPageMember(path),
  async check(source) {
    const { createContentCheck } = await import('./import-content.ts')
    return createContentCheck(deps)(source)
  },
})
