const MAX_LENGTH = 200
const MAX_EXTENSION = 16
/** What Windows takes for a device, whatever its extension is. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00B9\u00B2\u00B3])\s*(\.|$)/i

/** The extension of a name, in lower case and without its dot; empty when it has none. */
export const extensionOf = (filename: string): string =>
  /\.([A-Za-z0-9]{1,16})$/.exec(filename)?.[1]?.toLowerCase() ?? ''

/** A name that is shown and sent on: no folders, no control characters, no marks that turn text around, no device, not too long. */
export function cleanFilename(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const text = last
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .replace(/^\.+/, '')
    // Windows drops them, and with them an extension that was looked at.
    .replace(/[.\s]+$/, '')
  if (text === '') return 'file'
  if (DEVICE.test(text)) return `_${text}`
  const signs = [...text]
  if (signs.length <= MAX_LENGTH) return text
  const extension = extensionOf(text).slice(0, MAX_EXTENSION)
  const stem = signs.slice(0, MAX_LENGTH - extension.length - 1).join('')
  return extension ? `${stem}.${extension}` : stem
}
