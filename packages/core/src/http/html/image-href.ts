import type { GateConfig } from '../../model/gate-config.ts'
import { IMAGE_WIDTHS, type ImageSize } from '../../model/image-widths.ts'
import { isPublicFile } from '../../model/public-file.ts'
import { fileIdOf, fileUrl } from '../../model/resource-addresses.ts'
import { type Html, html } from './html.ts'
import { hrefOn, type Site } from './view.ts'

interface ImageOptions {
  readonly keyOf?: ((fileId: number) => string | undefined) | undefined
  readonly gates?: GateConfig | null | undefined
}

/**
 * The address from which a page loads an image: a path for images of this service, and one of another origin only by https and if the host
 * allows it. Undefined for images that a page does not load.
 *
 * @param options - of the profile that names the image: the keys in the addresses of its files, if it is unlisted, and its gate, which may
 *   close a file. Default: none
 */
export function imageHref(
  address: string | null,
  site: Pick<Site, 'publicUrl' | 'basePath' | 'remoteImages'>,
  { keyOf, gates }: ImageOptions = {},
): string | undefined {
  if (address === null || !URL.canParse(address)) return undefined
  const { origin, protocol } = new URL(address)
  if (origin !== new URL(site.publicUrl).origin) {
    return site.remoteImages && protocol === 'https:' ? address : undefined
  }
  const id = fileIdOf(address, site.publicUrl)
  if (id === undefined) return hrefOn(site, address)
  return isPublicFile(gates, id) ? hrefOn(site, fileUrl('', id, keyOf?.(id))) : undefined
}

/** A route of the sizes of images. It exists where the service draws them. */
export const SIZED_IMAGES = '/files/:id/small'
const OWN_FILE = /^(.*\/files\/\d{1,15})(\?key=[\w-]+)?$/

/**
 * Returns the address of a size of an image that {@link imageHref} returned; of the image itself where it has no sizes.
 */
export function sizedHref(href: string, site: Pick<Site, 'has'>, size: ImageSize): string {
  const [, path, key = ''] = (site.has?.(SIZED_IMAGES) && OWN_FILE.exec(href)) || []
  return path === undefined ? href : `${path}/${size}${key}`
}

/** The attribute `srcset` with the sizes of an image, as wide as its place on the page by `sizes`; none where it has no sizes. */
export function srcsetHtml(href: string, site: Pick<Site, 'has'>, sizes: string): Html | undefined {
  const small = sizedHref(href, site, 'small')
  if (small === href) return undefined
  const large = sizedHref(href, site, 'large')
  return html` srcset="${small} ${IMAGE_WIDTHS.small}w, ${large} ${IMAGE_WIDTHS.large}w" sizes="${sizes}"`
}
