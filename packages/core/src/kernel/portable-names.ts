const SURROGATE_PAIR_CUT = /[\ud800-\udbff]$/

/** Reserved device names of Windows, with any extension. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00B9\u00B2\u00B3])\s*(\.|$)/i

/** Whether Windows takes a name for a device, such as `con` or `aux.txt`. */
export const isDeviceName = (name: string): boolean => DEVICE.test(name)

/** A name that Windows does not take for a device. */
export const withoutDeviceName = (name: string): string => (isDeviceName(name) ? `_${name}` : name)

// biome-ignore lint/suspicious/noControlCharactersInRegex: no file system of Windows permits them
const NOT_PORTABLE = /[<>:"/\\|?*\u0000-\u001f\u007f-\u009f]/g
const EXTENSION = /\.[^. ]{1,16}$/

/**
 * The name of a file as every system can unpack it: without characters and device names that Windows reserves, without a dot or space at
 * its end, and with at most `maxLength` UTF-16 code units, of which the extension is kept.
 */
export function portableName(name: string, maxLength: number): string {
  const trimmed = name
    .toWellFormed()
    .replaceAll(NOT_PORTABLE, '_')
    .replace(/(?<![. ])[. ]+$/, '')
  const safe = withoutDeviceName(trimmed === '' ? '_' : trimmed)
  if (safe.length <= maxLength) return safe
  const extension = EXTENSION.exec(safe)?.[0] ?? ''
  const stem = safe
    .slice(0, maxLength - extension.length)
    .replace(SURROGATE_PAIR_CUT, '')
    .replace(/(?<![. ])[. ]+$/, '')
  return `${stem}${extension}`
}
