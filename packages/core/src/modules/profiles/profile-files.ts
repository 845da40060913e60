/** A file of a profile, as it appears in the profile document. */
export interface FileSummary {
  readonly id: number
  readonly filename: string
  readonly contentType: string
  readonly size: number
  readonly createdAt: Date
  /** Opens it for readers of an unlisted profile. */
  readonly key?: string | undefined
}

/** How many files a profile names, the newest; their list has them all. */
export const MAX_SHOWN_FILES = 100

/** The canonical URL of a file. */
export const fileUrl = (publicUrl: string, id: number, key?: string | undefined): string =>
  `${publicUrl}/files/${id}${key === undefined ? '' : `?key=${key}`}`

/** A file as a profile and its team see it. */
export const serializeFile = ({ id, filename, contentType, size, createdAt, key }: FileSummary, publicUrl: string) => ({
  id,
  filename,
  content_type: contentType,
  size,
  url: fileUrl(publicUrl, id, key),
  created_at: createdAt.toISOString(),
})
