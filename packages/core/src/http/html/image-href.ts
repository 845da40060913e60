import type { GateConfig } from '../../model/gate-config.ts'
import { isPublicFile } from '../../model/public-file.ts'
import { fileIdOf, fileUrl } from '../../model/resource-addresses.ts'
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
