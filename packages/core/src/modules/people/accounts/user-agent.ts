/** The first match wins: most browsers also claim to be others. */
const BROWSERS = [
  ['Edge', /\bEdg(A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
] as const
const SYSTEMS = [
  ['iOS', /\b(iPhone|iPad|iPod)\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\b(Macintosh|Mac OS X)\b/],
  ['Linux', /\bLinux\b/],
] as const
const PRODUCT = /^[\w.+-]{1,40}(\/[\w.+-]{1,20})?/

const nameIn = (names: readonly (readonly [string, RegExp])[], header: string) =>
  names.find(([, pattern]) => pattern.test(header))?.[0]

/**
 * Summarizes a `User-Agent` header so that people recognize a session: `Firefox on Linux`, or the first product token of
 * other clients, `curl/8.5.0`. Null when the header contains neither.
 */
export function summarizeUserAgent(header: string | undefined): string | null {
  if (!header) return null
  const text = header.slice(0, 512)
  const browser = nameIn(BROWSERS, text)
  const system = nameIn(SYSTEMS, text)
  if (browser) return system ? `${browser} on ${system}` : browser
  return PRODUCT.exec(text)?.[0] ?? null
}
