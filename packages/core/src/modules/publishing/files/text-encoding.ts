import type { FileToolkit } from '../../../ports/file-toolkit.ts'

/** A text and its encoding. */
export interface ReadableText {
  readonly text: string
  /** The name of the encoding in the Encoding standard, in lower case. */
  readonly encoding: string
  /** Whether the bytes identify the encoding well enough to name it in `Content-Type`. */
  readonly isNamed: boolean
}

/** The means of guessing an encoding. */
export interface EncodingHints {
  readonly toolkit: Pick<FileToolkit, 'detectEncodings'>
  /** The language of the owner, as BCP 47. */
  readonly language: string
}

/** The bytes that make a resource binary (MIME Sniffing, 3): control characters but white space and escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: text files must not contain them
const CONTROL = /[\0-\x08\x0B\x0E-\x1A\x1C-\x1F]/

/**
 * The encodings that are accepted from the detector, and the confidence from which. UTF-7 and ISO-2022 are not among them:
 * their bytes are ASCII, so they could hide markup from everything that reads the file.
 */
const CONFIDENCE: readonly (readonly [RegExp, number])[] = [
  [/^(shift_jis|euc-jp|euc-kr|big5|gb18030)$/, 80],
  [/^(iso-8859-([1-9]|1[0-6])|windows-(125[0-8]|874)|koi8-[ru])$/, 30],
]
const MULTI_BYTE = /^(shift_jis|euc-jp|euc-kr|big5|gb18030)$/

/** The encodings of languages before UTF-8: those of the HTML standard, with those of Windows where they differ. */
const BY_LANGUAGE: Readonly<Record<string, string>> = {
  ...byEncoding('windows-1250', 'bs cs hr hu pl ro sk sl'),
  ...byEncoding('windows-1251', 'ba be bg kk ky mk ru sah sr tg tt uk'),
  ...byEncoding('windows-1253', 'el'),
  ...byEncoding('windows-1254', 'az ku tr'),
  ...byEncoding('windows-1255', 'he yi'),
  ...byEncoding('windows-1256', 'ar fa ur'),
  ...byEncoding('windows-1257', 'et lt lv'),
  ...byEncoding('windows-1258', 'vi'),
  ...byEncoding('windows-874', 'th'),
  ...byEncoding('shift_jis', 'ja'),
  ...byEncoding('euc-kr', 'ko'),
  ...byEncoding('gb18030', 'zh'),
}
const TRADITIONAL_CHINESE = /^zh-(hant|tw|hk|mo)\b/i

function byEncoding(encoding: string, languages: string): Readonly<Record<string, string>> {
  return Object.fromEntries(languages.split(' ').map((language) => [language, encoding]))
}

function encodingOfLanguage(language: string): string {
  if (TRADITIONAL_CHINESE.test(language)) return 'big5'
  return BY_LANGUAGE[language.split('-')[0]?.toLowerCase() ?? ''] ?? 'windows-1252'
}

/** Decodes the beginning of a text; undefined for bytes that are invalid in this encoding, or binary data. */
function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    // A text that ends in the middle of a character is still text.
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true })
    return CONTROL.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

/** Returns a text in UTF-8; undefined for other bytes. */
export const utf8TextOf = (bytes: Uint8Array): string | undefined => decode(bytes, 'utf-8')

function markedEncodingOf([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

async function guessesOf(bytes: Uint8Array, { toolkit, language }: EncodingHints) {
  const detected = await toolkit.detectEncodings(bytes)
  const sure = detected
    .map(({ name, confidence }) => ({ name: name.toLowerCase(), confidence }))
    .filter(({ name, confidence }) => CONFIDENCE.some(([names, least]) => names.test(name) && confidence >= least))
    .map(({ name }) => ({ encoding: name, isNamed: MULTI_BYTE.test(name) }))
  const usual = [encodingOfLanguage(language), 'windows-1252'].map((encoding) => ({ encoding, isNamed: false }))
  return [...sure, ...usual]
}

/**
 * Decodes the first bytes of a file whose name promises a text: by its byte order mark, as UTF-8, by the detector, by the
 * language of the owner, at last as Windows-1252. Undefined for bytes with binary data.
 */
export async function readableTextOf(bytes: Uint8Array, hints: EncodingHints): Promise<ReadableText | undefined> {
  const utf8 = utf8TextOf(bytes)
  if (utf8 !== undefined) return { text: utf8, encoding: 'utf-8', isNamed: true }
  const marked = markedEncodingOf(bytes)
  const markedText = marked && decode(bytes, marked)
  if (markedText !== undefined) return { text: markedText, encoding: marked ?? '', isNamed: true }
  if (CONTROL.test(Buffer.from(bytes).toString('latin1'))) return undefined
  for (const { encoding, isNamed } of await guessesOf(bytes, hints)) {
    const text = decode(bytes, encoding)
    if (text !== undefined) return { text, encoding: new TextDecoder(encoding).encoding, isNamed }
  }
  return undefined
}
