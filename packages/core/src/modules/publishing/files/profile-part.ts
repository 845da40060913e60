import type { PartSubject, ProfilePart } from '../../../framework/module/profile-part.ts'
import { accessMarkHtml } from '../../../http/html/access-mark.ts'
import { html } from '../../../http/html/html.ts'
import { rowHtml } from '../../../http/html/pieces.ts'
import { hrefOn } from '../../../http/html/view.ts'
import { inline, link, list } from '../../../kernel/markdown.ts'
import { fieldResource } from '../../../model/profile-fields.ts'
import { fileIdOf, fileUrl } from '../../../model/resource-addresses.ts'
import { resourceName } from '../../../model/resource-name.ts'
import type { StoredFile } from '../../../ports/storage/files.ts'
import { fileDeleted } from './events.ts'
import { fileSizeText, fileTypeText } from './file-text.ts'
import { fileMessages } from './messages.ts'

/** A file in the documents of a profile. The key of a stored file is the key of its blob, which must stay secret. */
type ShownFile = Pick<StoredFile, 'id' | 'filename' | 'contentType' | 'size' | 'createdAt'> & {
  /** Whether a page of the profile shows it as an image. */
  readonly isOnPage: boolean
}

const shown = ({ id, filename, contentType, size, createdAt }: StoredFile, isOnPage: boolean): ShownFile => ({
  id,
  filename,
  contentType,
  size,
  createdAt,
  isOnPage,
})

const addressOf = ({ id }: ShownFile, { linkKeyOf }: PartSubject, publicUrl: string) =>
  fileUrl(publicUrl, id, linkKeyOf('file', id))

/** The files that people are offered: without the portrait, the cover and the images of pages. */
function offeredFiles(files: readonly ShownFile[], { profile, publicUrl }: PartSubject): readonly ShownFile[] {
  const pictures = [profile.avatarUrl, profile.coverUrl].map((address) => address && fileIdOf(address, publicUrl))
  return files.filter(({ id, isOnPage }) => !pictures.includes(id) && !isOnPage)
}

/** The newest files of a profile in its documents; `GET /files/list/…` has all. */
export const filesOfProfiles: ProfilePart<ShownFile, 'files'> = {
  key: 'files',
  after: 'contents',
  limit: 100,
  resource: fieldResource('files'),
  title: (page) => fileMessages(page)('files'),
  async load({ files }, { id }, limit) {
    const newest = (await files.listOfProfiles([id], limit)).get(id) ?? []
    const images = newest.filter(({ contentType }) => contentType.startsWith('image/'))
    const onPages = images.length > 0 ? await files.listShown(id, { fileIds: images.map((image) => image.id) }) : []
    const ids = new Set(onPages.map((file) => file.id))
    return newest.map((file) => shown(file, ids.has(file.id)))
  },
  async loadMany({ files }, profiles, limit) {
    const stored = await files.listOfProfiles(
      profiles.map(({ id }) => id),
      limit,
    )
    return new Map([...stored].map(([profileId, newest]) => [profileId, newest.map((file) => shown(file, false))]))
  },
  json: (files, subject) =>
    files.map((file) => ({
      id: file.id,
      filename: file.filename,
      content_type: file.contentType,
      size: file.size,
      url: addressOf(file, subject, subject.publicUrl),
      created_at: file.createdAt.toISOString(),
    })),
  markdown: (files, subject) =>
    list(
      files.map((file) => {
        const { filename, contentType, size } = file
        return `${link(filename, addressOf(file, subject, subject.publicUrl))}: ${inline(contentType)}, ${size} bytes`
      }),
    ),
  html(files, subject, site) {
    const offered = offeredFiles(files, subject)
    return (
      offered.length > 0 &&
      html`<ul class="rows">${offered.map((file) => rowHtml({ href: hrefOn(site, addressOf(file, subject, '')), title: file.filename, marks: [accessMarkHtml(resourceName('files', [`f${file.id}`]), subject.gates, site), fileTypeText(file.contentType, site), fileSizeText(file.size, site)] }, true))}</ul>`
    )
  },
  async deleteItems({ files }, emit, owner, ids) {
    const deleted = (await files.delete(owner.profileId, ids)).map(({ id }) => id)
    for (const fileId of deleted) emit(fileDeleted, { fileId }, owner)
    return deleted
  },
}
