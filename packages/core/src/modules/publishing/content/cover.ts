import type { GateConfig } from '../../../model/gate-config.ts'
import { isPublicFile } from '../../../model/public-file.ts'
import { fileIdOf, fileUrl } from '../../../model/resource-addresses.ts'
import type { PageOutline } from '../../../ports/storage/content.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { DocumentSource } from './document-frame.ts'
import { invalidCover } from './errors.ts'

/**
 * Returns the id of the file that a cover names: `/files/7`, or the URL of a file of this service.
 *
 * @throws `invalid_cover`
 */
export function coverIdOf(cover: string | null | undefined, publicUrl: string): number | null | undefined {
  if (cover === null || cover === undefined) return cover
  const id = fileIdOf(cover, publicUrl)
  if (id === undefined) throw invalidCover()
  return id
}

/** @throws `invalid_cover` when the file is not an image of the profile */
export async function requireCover(
  { files }: Pick<Readers, 'files'>,
  profileId: number,
  coverFileId: number | null,
): Promise<void> {
  if (coverFileId === null) return
  const file = await files?.get(coverFileId)
  if (file?.profileId !== profileId || !file.contentType.startsWith('image/')) throw invalidCover()
}

/** Returns the URL of a file. */
type FileUrlOf = (fileId: number) => string

/** Returns the URLs of the files of a profile; with their keys if the profile is unlisted. */
export const fileUrlsOf =
  ({ id: profileId, visibility }: Profile, { publicUrl, linkKeys }: DocumentSource): FileUrlOf =>
  (id) =>
    fileUrl(publicUrl, id, visibility === 'unlisted' ? linkKeys.keyOf('file', profileId, id) : undefined)

/** The URL of the cover of a page; null without one. */
export const coverUrl = ({ coverFileId }: Pick<PageOutline, 'coverFileId'>, urlOf: FileUrlOf): string | null =>
  coverFileId === null ? null : urlOf(coverFileId)

/**
 * The URL of the picture that previews of a page show: its cover, else the first image of its body if everyone may read the page and the
 * image; null without one.
 *
 * @param isOpen - whether everyone may read the page
 */
export function previewImage(
  { coverFileId, firstImageId }: Pick<PageOutline, 'coverFileId' | 'firstImageId'>,
  { gates, isOpen }: { readonly gates: GateConfig | null | undefined; readonly isOpen: boolean },
  urlOf: FileUrlOf,
): string | null {
  if (coverFileId !== null) return urlOf(coverFileId)
  return firstImageId !== null && isOpen && isPublicFile(gates, firstImageId) ? urlOf(firstImageId) : null
}
