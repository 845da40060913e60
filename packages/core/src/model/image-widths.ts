/** The widths in which images are stored for pages, besides their own, in pixels. */
export const IMAGE_WIDTHS = { small: 400, large: 1600 } as const

/** A size in which an image is stored for pages. */
export type ImageSize = keyof typeof IMAGE_WIDTHS

/** The key of a file, for the key of its blob or of one of its sizes. */
export const keyOfFile = (key: string): string => key.replace(/_(?:small|large)$/, '')
