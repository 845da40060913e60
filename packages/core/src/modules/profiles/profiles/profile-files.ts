/** A file in the profile document. */
export interface FileSummary {
  readonly id: number
  readonly filename: string
  readonly contentType: string
  readonly size: number
  readonly createdAt: Date
  /** The key for readers of an unlisted profile. */
  readonly key?: string | undefined
}

/** The number of files in a profile document, newest first. The list of files has all. */
export const MAX_SHOWN_FILES = 100

/** The canonical URL of a file. */
export const fileUrl = (publicUrl: string, id: number, key?: string | undefined): string =>
  `${publicUrl}/files/${id}${key === undefined ? '' : `?key=${key}`}`

/** Serializes a file for profile documents and lists. */
export const serializeFile = ({ id, filename, contentType, size, createdAt, key }: FileSummary, publicUrl: string) => ({
  id,
  filename,
  content_type: contentType,
  size,
  url: fileUrl(publicUrl, id, key),
  created_at: createdAt.toISOString(),
})
