import type { ProfilePart } from '../../../framework/module/profile-part.ts'
import { MAX_SHOWN_FILES } from '../../profiles/profiles/index.ts'

/** The files in the documents of profiles. */
export const filesOfProfiles: ProfilePart<'files'> = {
  key: 'files',
  async load({ files }, profileId) {
    const newest = (await files.listOfProfiles([profileId], MAX_SHOWN_FILES)).get(profileId) ?? []
    const images = newest.filter(({ contentType }) => contentType.startsWith('image/'))
    if (images.length === 0) return { newest, shown: [] }
    return { newest, shown: await files.listShown(profileId, { fileIds: images.map(({ id }) => id) }) }
  },
}
