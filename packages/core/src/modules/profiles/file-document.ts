/** A file of a profile, as far as the profile tells of it. */
export interface FileFacts {
  readonly id: number
  readonly filename: string
  readonly contentType: string
  readonly size: number
  readonly createdAt: Date
}

/** How many files a profile names, the newest; their list has them all. */
export const MAX_SHOWN_FILES = 100

/** The canonical URL of a file. */
export const fileUrl = (publicUrl: string, id: number): string => `${publicUrl}/files/${id}`

/** A file as a profile and its team see it. */
export const fileDocument = ({ id, filename, contentType, size, createdAt }: FileFacts, publicUrl: string) => ({
  id,
  filename,
  content_type: contentType,
  size,
  url: fileUrl(publicUrl, id),
  created_at: createdAt.toISOString(),
})
