import type { PageLanguage } from '../../../model/messages.ts'
import { fileMessages } from './messages.ts'

/** The names of formats, which are the same in all languages. */
const FORMATS: Readonly<Record<string, string>> = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/apng': 'APNG',
  'image/webp': 'WebP',
  'image/gif': 'GIF',
  'image/avif': 'AVIF',
  'image/heic': 'HEIC',
  'image/heif': 'HEIF',
  'image/tiff': 'TIFF',
  'image/svg+xml': 'SVG',
  'image/bmp': 'BMP',
  'video/mp4': 'MP4',
  'video/quicktime': 'QuickTime',
  'video/webm': 'WebM',
  'audio/mpeg': 'MP3',
  'audio/mp4': 'M4A',
  'audio/x-m4a': 'M4A',
  'audio/wav': 'WAV',
  'audio/flac': 'FLAC',
  'audio/ogg': 'Ogg',
  'text/html': 'HTML',
  'text/markdown': 'Markdown',
  'text/csv': 'CSV',
  'text/tab-separated-values': 'TSV',
  'text/calendar': 'iCalendar',
  'text/vcard': 'vCard',
  'text/vtt': 'WebVTT',
  'application/json': 'JSON',
  'application/xml': 'XML',
  'application/yaml': 'YAML',
  'application/toml': 'TOML',
  'application/pdf': 'PDF',
  'application/zip': 'ZIP',
  'application/epub+zip': 'EPUB',
  'application/rtf': 'RTF',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PowerPoint',
}

const KINDS = ['image', 'video', 'audio', 'text'] as const

/** A media type in words: the format, for example "PDF", or the kind of file. */
export function fileTypeText(contentType: string, page: PageLanguage): string {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  const format = Object.hasOwn(FORMATS, type) ? FORMATS[type] : undefined
  return format ?? fileMessages(page)(KINDS.find((kind) => type.startsWith(`${kind}/`)) ?? 'other')
}

const UNITS = [
  { unit: 'gigabyte', bytes: 1e9 },
  { unit: 'megabyte', bytes: 1e6 },
  { unit: 'kilobyte', bytes: 1e3 },
] as const

/** A number of bytes in words, for example "23 bytes" or "1.2 MB". */
export function fileSizeText(size: number, { language = 'en' }: PageLanguage): string {
  // A size that rounds to a thousand of a unit is one of the next.
  const found = UNITS.find(({ bytes }) => size >= bytes * 0.9995) ?? { unit: 'byte', bytes: 1 }
  const amount = size / found.bytes
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: found.unit,
    unitDisplay: found.unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: amount < 10 ? 1 : 0,
  }).format(amount)
}
