import { isDeviceName } from '../../../kernel/portable-names.ts'

const MAX_LENGTH = 200
const MAX_EXTENSION = 16

/** A letter or mark of a script that spells words with joiners (RFC 5892, A.1 and A.2). */
const JOINED =
  '(?=[\\p{L}\\p{M}])[\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Nkoo}\\p{scx=Mong}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}]'
const EMOJI = '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f]'
/** Joiners, with those that spell a word or an emoji as the first group. */
const JOINERS = new RegExp(
  `((?<=${JOINED})[\\u200c\\u200d](?=${JOINED})|(?<=${EMOJI})\\u200d(?=\\p{Extended_Pictographic}))|[\\u200c\\u200d]`,
  'gu',
)

/** Keeps the joiners that spell words and emoji, none of them in the extension. */
function withoutStrayJoiners(name: string): string {
  const dot = name.lastIndexOf('.')
  const end = dot < 0 ? name.length : dot
  return name.slice(0, end).replaceAll(JOINERS, '$1') + name.slice(end).replaceAll(/[\u200c\u200d]/g, '')
}

/** The extension of a name, in lower case and without its dot; empty when it has none. */
export const extensionOf = (filename: string): string =>
  /\.([A-Za-z0-9]{1,16})$/.exec(filename)?.[1]?.toLowerCase() ?? ''

/** A name with the extension of another name; the name itself, when the other has none. */
export function withExtensionOf(filename: string, other: string): string {
  const [own, wanted] = [extensionOf(filename), extensionOf(other)]
  if (wanted === '' || own === wanted) return filename
  const stem = own === '' ? filename : filename.slice(0, -own.length - 1)
  return cleanFilename(`${stem}.${wanted}`)
}

/** Sanitizes a file name: removes folders, control and bidirectional characters and device names, and limits its length. */
export function cleanFilename(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const shown = last
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
  const text = withoutStrayJoiners(shown)
    .trim()
    .replace(/^\.+/, '')
    // Windows drops trailing dots and spaces, which would change the checked extension. Each run of them is read once.
    .replace(/(?<![.\s])[.\s]+$/, '')
  if (text === '') return 'file'
  if (isDeviceName(text)) return `_${text}`
  const signs = [...text]
  if (signs.length <= MAX_LENGTH) return text
  const extension = extensionOf(text).slice(0, MAX_EXTENSION)
  const stem = signs.slice(0, MAX_LENGTH - extension.length - 1).join('')
  return extension ? `${stem}.${extension}` : stem
}
