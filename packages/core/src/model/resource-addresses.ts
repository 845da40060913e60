import { pathBelow } from '../kernel/public-url.ts'

/** The canonical URL of a file. `key` is for readers of an unlisted profile. */
export const fileUrl = (publicUrl: string, id: number, key?: string | undefined): string =>
  `${publicUrl}/files/${id}${key === undefined ? '' : `?key=${key}`}`

const FILE = /^\/files\/(\d{1,15})(?=$|[?#])/

/** The id of the file that an address names: `/files/7`, or the URL of a file of this service. Undefined for other addresses. */
export function fileIdOf(address: string, publicUrl: string): number | undefined {
  const id = FILE.exec(pathBelow(publicUrl, address) ?? address)?.[1]
  return id === undefined ? undefined : Number(id)
}

/** The path of a post. */
export const postPath = (id: number): string => `/feed/posts/${id}`
