/** The kinds of documents that the default converter reads. */
export type DocumentKind = 'text' | 'csv' | 'html' | 'pdf' | 'docx' | 'pptx' | 'xlsx'

const OFFICE = 'application/vnd.openxmlformats-officedocument'

const BY_TYPE: Readonly<Record<string, DocumentKind>> = {
  'text/plain': 'text',
  'text/markdown': 'text',
  'text/csv': 'csv',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'application/pdf': 'pdf',
  [`${OFFICE}.wordprocessingml.document`]: 'docx',
  [`${OFFICE}.presentationml.presentation`]: 'pptx',
  [`${OFFICE}.spreadsheetml.sheet`]: 'xlsx',
}

// The first bytes of an archive do not always identify its content.
const ZIPPED: Readonly<Record<string, DocumentKind>> = { docx: 'docx', pptx: 'pptx', xlsx: 'xlsx' }

/** The kind of a document; undefined for unsupported files. */
export function documentKindOf(contentType: string, filename: string): DocumentKind | undefined {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (Object.hasOwn(BY_TYPE, type)) return BY_TYPE[type]
  const extension = /\.([a-z]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? ''
  return type === 'application/zip' && Object.hasOwn(ZIPPED, extension) ? ZIPPED[extension] : undefined
}
