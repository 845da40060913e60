import type { ImageSize } from '../../../model/image-widths.ts'
import type { StoredFile } from '../../../ports/storage/files.ts'

/** The ETag of the content of a file, or of a size of an image. */
export const etagOf = ({ sha256 }: StoredFile, size?: ImageSize): string =>
  `"${sha256.slice(0, 32)}${size === undefined ? '' : `-${size}`}"`
