import { encode } from 'uqr'
import { type Html, html } from './html.ts'

/** The light modules that a reader needs around the code. */
const QUIET_ZONE = 4

/**
 * Writes a text as a QR code, as a picture in the page. It is dark on light on dark screens too, because many readers find no
 * other.
 *
 * @param label - the text of the picture for people who do not see it
 */
export function qrCodeHtml(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" width="232" height="232" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path fill="#000" d="${dark.join('')}"/></svg>`
}
