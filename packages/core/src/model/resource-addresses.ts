/** The canonical URL of a file. `key` is for readers of an unlisted profile. */
export const fileUrl = (publicUrl: string, id: number, key?: string | undefined): string =>
  `${publicUrl}/files/${id}${key === undefined ? '' : `?key=${key}`}`

/** The path of a post. */
export const postPath = (id: number): string => `/feed/posts/${id}`
