import type { FileToolkit } from '../../../ports/file-toolkit.ts'
import { extensionOf } from './filename.ts'
import { type EncodingHints, readableTextOf, utf8TextOf } from './text-encoding.ts'

/** How many bytes of a file are inspected. */
export const SAMPLE_BYTES = 4_100

const ZIPPED = ['application/zip']
// The containers of Office documents; the first bytes do not always identify the type.
const office = (type: string) => [
  `application/vnd.openxmlformats-officedocument.${type}`,
  'application/zip',
  'application/x-cfb',
]
const MOVING = ['video/mp4', 'video/quicktime', 'audio/mp4', 'audio/x-m4a', 'video/x-m4v', 'video/3gpp']

/** The types that a file name promises: clients that trust the name must not be misled. */
const SAID: Readonly<Record<string, readonly string[]>> = {
  png: ['image/png', 'image/apng'],
  apng: ['image/png', 'image/apng'],
  jpg: ['image/jpeg'],
  jpeg: ['image/jpeg'],
  gif: ['image/gif'],
  webp: ['image/webp'],
  avif: ['image/avif'],
  bmp: ['image/bmp'],
  pdf: ['application/pdf'],
  docx: office('wordprocessingml.document'),
  xlsx: office('spreadsheetml.sheet'),
  pptx: office('presentationml.presentation'),
  zip: ZIPPED,
  mp4: MOVING,
  m4a: MOVING,
  m4v: MOVING,
  mov: MOVING,
  webm: ['video/webm', 'video/matroska', 'video/x-matroska'],
  mp3: ['audio/mpeg'],
  wav: ['audio/wav', 'audio/vnd.wave', 'audio/x-wav'],
  flac: ['audio/flac', 'audio/x-flac'],
  ogg: ['audio/ogg', 'video/ogg', 'application/ogg', 'audio/ogg; codecs=opus'],
}

/**
 * The types that names of text files promise. Responses have `nosniff`, so browsers do not look for other types in the
 * content. Types that a browser might run are served as downloads only.
 */
const TEXTS: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  log: 'text/plain',
  md: 'text/markdown',
  markdown: 'text/markdown',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  toml: 'application/toml',
  srt: 'application/x-subrip',
  vtt: 'text/vtt',
  ics: 'text/calendar',
  vcf: 'text/vcard',
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'application/xhtml+xml',
  svg: 'image/svg+xml',
  xml: 'application/xml',
  ...sourceCode(
    'js mjs cjs jsx ts mts cts tsx css scss less vue svelte php py rb pl lua r go rs c h cc cpp hpp cs java kt swift scala dart',
    'sh bash zsh ps1 bat sql ini cfg conf diff patch tex',
  ),
}

/** Source code is plain text: a page must not be able to load an upload as a script or style. */
function sourceCode(...extensions: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(extensions.flatMap((line) => line.split(' ')).map((extension) => [extension, 'text/plain']))
}

/** Binary types that may begin with text. All other content that reads as text is text. */
const WRITTEN = /^(application\/(pdf|rtf|postscript|eps|xml|x-mobipocket-ebook)|text\/|image\/svg)/

/** Executables; the service does not label them, so that browsers do not open them. */
const EXECUTABLE =
  /msdownload|msi\b|portable-executable|x-elf|mach-binary|x-executable|java-archive|x-java|x-apple-diskimage|x-(deb|rpm)|shockwave|ms-shortcut|chrome-extension|wasm|vnd\.android|macroenabled/i

/** How far readers look for the beginning of a PDF, or of content that they take for HTML. */
const GUESSED_BYTES = 1_024
const FOREIGN = /%PDF-|<(!doctype\s+html|html|head|body|script|iframe|svg|\?php)[\s>/]|<\?php/i

/** Whether the first bytes contain another format than the image or document, for readers that guess. */
function isPolyglot(sample: Uint8Array, type: string): boolean {
  if (!/^image\/|^application\/pdf/.test(type)) return false
  const text = Buffer.from(sample.subarray(0, GUESSED_BYTES)).toString('latin1')
  return FOREIGN.test(type === 'application/pdf' ? text.slice('%PDF-'.length) : text)
}

const BYTES = 'application/octet-stream'

/** JSON is UTF-8 (RFC 8259, 8.1). */
const UTF8_ONLY = 'application/json'

/** The type of a file. */
export interface FileType {
  readonly contentType: string
  /** The encoding of a text that is not UTF-8, as named by the Encoding standard; null for other files. */
  readonly encoding: string | null
  readonly isText: boolean
}

const binary = (contentType: string): FileType => ({ contentType, encoding: null, isText: false })
const utf8 = (type: string): FileType => ({ contentType: `${type}; charset=utf-8`, encoding: null, isText: true })

const promisedOf = (filename: string): string | undefined => {
  const extension = extensionOf(filename)
  return Object.hasOwn(TEXTS, extension) ? TEXTS[extension] : undefined
}

/** The type of a text whose name promises one; undefined for other names and bytes. */
async function promisedTypeOf(
  sample: Uint8Array,
  filename: string,
  hints: EncodingHints,
): Promise<FileType | undefined> {
  const promised = promisedOf(filename)
  const found = promised === undefined ? undefined : await readableTextOf(sample, hints)
  if (promised === undefined || found === undefined) return undefined
  const { encoding, isNamed } = found
  if (encoding === 'utf-8') return utf8(promised)
  if (promised === UTF8_ONLY) return undefined
  return { contentType: isNamed ? `${promised}; charset=${encoding}` : promised, encoding, isText: true }
}

function markupOf(text: string): string | undefined {
  if (/<svg[\s>/]/i.test(text)) return 'image/svg+xml'
  if (/<(!doctype\s+html|html|head|body|script|iframe|object|embed)[\s>/]/i.test(text)) return 'text/html'
  return /^\s*<\?xml|^\s*<[a-z!]/i.test(text) ? 'application/xml' : undefined
}

/**
 * Detects the type of a file by its first bytes; a text has the type that its name promises, in any encoding. The declared type
 * is ignored. Undefined when the name promises a binary type that the bytes do not have, or when readers that sniff could take an image
 * or document for another type.
 */
export async function contentTypeOf(
  sample: Uint8Array,
  filename: string,
  hints: EncodingHints & { readonly toolkit: Pick<FileToolkit, 'detectType'> },
): Promise<FileType | undefined> {
  const promised = await promisedTypeOf(sample, filename, hints)
  if (promised) return promised
  const extension = extensionOf(filename)
  const text = utf8TextOf(sample)
  const magic = await hints.toolkit.detectType(sample)
  // A short prefix of a text does not make it an image or a recording.
  const found = magic !== undefined && (text === undefined || WRITTEN.test(magic)) ? magic : undefined
  if (found !== undefined && isPolyglot(sample, found)) return undefined
  const said = Object.hasOwn(SAID, extension) ? SAID[extension] : undefined
  if (said) {
    if (found === undefined || !said.some((type) => found === type)) return undefined
    return binary(found)
  }
  if (found !== undefined && (text === undefined || found !== 'application/xml')) {
    return binary(EXECUTABLE.test(found) ? BYTES : found)
  }
  if (text === undefined || text.slice(0, GUESSED_BYTES).includes('%PDF-')) return binary(BYTES)
  return utf8(markupOf(text) ?? 'text/plain')
}

/**
 * Corrects the type of a text whose first bytes are ASCII, which has the same bytes in most encodings, by later bytes.
 *
 * @param later - from the first byte on that is not ASCII; empty when the first bytes contain it
 */
export async function correctedType(
  found: FileType,
  later: Uint8Array,
  filename: string,
  hints: EncodingHints,
): Promise<FileType> {
  if (!found.isText || later.length === 0 || promisedOf(filename) === undefined) return found
  const corrected = await promisedTypeOf(later, filename, hints)
  if (corrected) return corrected
  return promisedOf(filename) === UTF8_ONLY ? binary(BYTES) : found
}

/** The type that a file is served with: scripts and styles that were stored with their type are plain text. */
export const servedTypeOf = (contentType: string): string =>
  contentType.replace(/^(text|application)\/(x-)?(javascript|ecmascript|css)(?=;|$)/i, 'text/plain')

/** Whether a browser might run scripts of a file of this type. */
export const isScriptable = (contentType: string): boolean =>
  /svg|html|xml|script|css|flash|xslt|java/i.test(contentType.split(';')[0] ?? '')

/**
 * Whether content of one type may replace content of the other: both are images, audio, video or text, or their types are equal.
 *
 * @param contentType - with or without parameters
 */
export const isSameKind = (contentType: string, other: string): boolean => kindOf(contentType) === kindOf(other)

function kindOf(contentType: string): string {
  const [type = ''] = contentType.split(';')
  return /^(image|audio|video|text)\//.exec(type)?.[1] ?? type.trim()
}

const INLINE =
  /^(image\/(png|apng|jpeg|gif|webp|avif|bmp)|(audio|video)\/[\w.+-]+|text\/(plain|csv|markdown)|application\/(pdf|json|ogg))(;|$)/

/** Whether a browser may show a file of this type instead of saving it. */
export const isShown = (contentType: string): boolean => INLINE.test(contentType) && !isScriptable(contentType)
