import { readFileSync } from 'node:fs'
import { sha256 } from '../../kernel/digest.ts'
import { isPng } from '../../kernel/png.ts'

/** The path of the manifest of the site for browsers. */
export const MANIFEST_PATH = '/assets/site.webmanifest'
/** The path of the icon for the home screen of a phone. */
export const TOUCH_ICON_PATH = '/assets/icon-180.png'
/** The path of the picture of previews of pages that have no other one. */
export const SERVICE_CARD_PATH = '/assets/card.png'

/** A logo that the service sends itself. */
export interface Logo {
  readonly bytes: Buffer
  readonly type: 'image/png' | 'image/svg+xml'
  /** Its path, without its version. */
  readonly path: string
  readonly version: string
}

const MAX_BYTES = 262_144

const isSvg = (bytes: Buffer) => /^\uFEFF?\s*(?:<\?xml|<!--|<!DOCTYPE svg|<svg)/.test(bytes.toString('utf8', 0, 256))

/**
 * Reads a logo, at the start of a service.
 *
 * @param file - the path of a PNG or SVG image of at most 256 KiB
 * @throws Error with what is wrong with the file
 */
export function readLogo(file: string): Logo {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch {
    throw new Error('is not a file that can be read')
  }
  if (bytes.length > MAX_BYTES) throw new Error(`is larger than ${MAX_BYTES} bytes`)
  const version = sha256(bytes, 'base64url').slice(0, 12)
  if (isPng(bytes)) return { bytes, type: 'image/png', path: '/assets/logo.png', version }
  if (isSvg(bytes)) return { bytes, type: 'image/svg+xml', path: '/assets/logo.svg', version }
  throw new Error('is neither a PNG nor an SVG image')
}

/** The address of a logo, which changes with it, so that browsers keep it. */
export const logoAddress = ({ path, version }: Logo): string => `${path}?v=${version}`
