import type { StoredFile } from '../../../ports/storage/files.ts'
import type { Readers } from '../../../ports/storage/storage.ts'

const FILE_ID = /\/(?:files|media)\/(\d{1,15})/g
/** As many images as a page shows with their sizes. */
const MAX_IMAGES = 1_000

/** Returns a function that finds the images of a profile in a text, also those that no page shows yet. */
export const createImagesIn =
  ({ files }: Readers) =>
  async (profileId: number, body: string): Promise<readonly StoredFile[]> => {
    const ids = [...new Set(Array.from(body.matchAll(FILE_ID), ([, id]) => Number(id)))].slice(0, MAX_IMAGES)
    return ids.length > 0 ? ((await files?.listShown(profileId, { imageIds: ids })) ?? []) : []
  }
