const MAX_LENGTH = 200
const MAX_EXTENSION = 16
/** Reserved device names of Windows, with any extension. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00B9\u00B2\u00B3])\s*(\.|$)/i

/** The extension of a name, in lower case and without its dot; empty when it has none. */
export const extensionOf = (filename: string): string =>
  /\.([A-Za-z0-9]{1,16})$/.exec(filename)?.[1]?.toLowerCase() ?? ''

/** Sanitizes a file name: removes folders, control and bidirectional characters and device names, and limits its length. */
export function cleanFilename(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const text = last
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .replace(/^\.+/, '')
    // Windows drops trailing dots and spaces, which would change the checked extension.
    .replace(/[.\s]+$/, '')
  if (text === '') return 'file'
  if (DEVICE.test(text)) return `_${text}`
  const signs = [...text]
  if (signs.length <= MAX_LENGTH) return text
  const extension = extensionOf(text).slice(0, MAX_EXTENSION)
  const stem = signs.slice(0, MAX_LENGTH - extension.length - 1).join('')
  return extension ? `${stem}.${extension}` : stem
}
