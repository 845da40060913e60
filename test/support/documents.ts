import { buffer } from 'node:stream/consumers'
import { deflateSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import PDFDocument from 'pdfkit'

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const MAIN = 'application/vnd.openxmlformats-officedocument'

/** The content types of documents by their extension. The others are archives. */
export const TYPES: Readonly<Record<string, string>> = {
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  html: 'text/html; charset=utf-8',
  pdf: 'application/pdf',
}

/** An archive of these texts and bytes. */
export const archiveOf = (parts: Readonly<Record<string, string | Uint8Array>>): Buffer =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(parts).map(([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part]),
      ),
    ),
  )

const relationships = (...targets: readonly string[]) =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${targets
    .map((target, index) => {
      const type = /document|presentation|workbook/.test(target)
        ? 'officeDocument'
        : target.replace(/.*\//, '').replace(/\d*\.xml$/, '')
      return `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`
    })
    .join('')}</Relationships>`

const contentTypes = (overrides: Readonly<Record<string, string>>) =>
  `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${Object.entries(
    overrides,
  )
    .map(([name, type]) => `<Override PartName="${name}" ContentType="${MAIN}.${type}+xml"/>`)
    .join('')}</Types>`

/** The parts of a document of Word with this body. */
export const wordParts = (body: string): Record<string, string> => ({
  '[Content_Types].xml': contentTypes({ '/word/document.xml': 'wordprocessingml.document.main' }),
  '_rels/.rels': relationships('word/document.xml'),
  'word/document.xml': `${XML}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
})

export const wordParagraph = (text: string, style?: string): string =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}<w:r><w:t>${text}</w:t></w:r></w:p>`

const wordStyles = `${XML}<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`

/** A document of Word. */
export const docxOf = (body: string): Buffer =>
  archiveOf({
    ...wordParts(body),
    'word/styles.xml': wordStyles,
    'word/_rels/document.xml.rels': relationships('styles.xml'),
  })

/** A presentation of slides, each the inside of its tree of shapes. */
export const pptxOf = (slides: readonly string[]): Buffer =>
  archiveOf({
    '[Content_Types].xml': contentTypes({ '/ppt/presentation.xml': 'presentationml.presentation.main' }),
    '_rels/.rels': relationships('ppt/presentation.xml'),
    'ppt/presentation.xml': `${XML}<p:presentation xmlns:p="p" xmlns:r="${OFFICE}"><p:sldIdLst>${slides
      .map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`)
      .join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships(...slides.map((_, index) => `slides/slide${index + 1}.xml`)),
    ...Object.fromEntries(
      slides.map((slide, index) => [
        `ppt/slides/slide${index + 1}.xml`,
        `${XML}<p:sld xmlns:a="a" xmlns:p="p"><p:cSld><p:spTree>${slide}</p:spTree></p:cSld></p:sld>`,
      ]),
    ),
  })

/** A shape with paragraphs; `type` is that of its placeholder. */
export const shapeOf = (type: string | undefined, ...lines: readonly string[]): string =>
  `<p:sp><p:nvSpPr><p:nvPr>${type ? `<p:ph type="${type}"/>` : ''}</p:nvPr></p:nvSpPr><p:txBody>${lines
    .map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`)
    .join('')}</p:txBody></p:sp>`

/** A workbook of sheets, each the inside of its data. */
export const xlsxOf = (sheets: Readonly<Record<string, string>>): Buffer =>
  archiveOf({
    '[Content_Types].xml': contentTypes({ '/xl/workbook.xml': 'spreadsheetml.sheet.main' }),
    '_rels/.rels': relationships('xl/workbook.xml'),
    'xl/workbook.xml': `${XML}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${OFFICE}"><sheets>${Object.keys(
      sheets,
    )
      .map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(
      ...Object.keys(sheets).map((_, index) => `worksheets/sheet${index + 1}.xml`),
    ).replaceAll(`${OFFICE}/sheet`, `${OFFICE}/worksheet`),
    ...Object.fromEntries(
      Object.values(sheets).map((data, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `${XML}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${data}</sheetData></worksheet>`,
      ]),
    ),
  })

/** A row of a sheet: numbers as such, texts in place. */
export const sheetRow = (at: number, ...cells: readonly (string | number)[]): string =>
  `<row r="${at}">${cells
    .map((cell, index) => {
      const place = `${String.fromCharCode(65 + index)}${at}`
      return typeof cell === 'number'
        ? `<c r="${place}"><v>${cell}</v></c>`
        : `<c r="${place}" t="inlineStr"><is><t>${cell}</t></is></c>`
    })
    .join('')}</row>`

/** A PDF with a page for each list of paragraphs. */
export async function pdfOf(pages: readonly (readonly string[])[], options: PDFKit.PDFDocumentOptions = {}) {
  const document = new PDFDocument({ ...options, autoFirstPage: false })
  for (const page of pages) {
    document.addPage()
    for (const paragraph of page) document.text(paragraph).moveDown(2)
  }
  document.end()
  return buffer(document)
}

const CENTRAL = 0x02014b50
const END = 0x06054b50

/** The same archive, whose directory declares each entry as shorter than it is. */
export function withLies(archive: Buffer): Buffer {
  const bytes = Buffer.from(archive)
  for (let at = 0; at < bytes.length - 4; at++) {
    if (bytes.readUInt32LE(at) === CENTRAL) bytes.writeUInt32LE(10, at + 24)
  }
  return bytes
}

/** An archive whose directory has so many entries, all of the same bytes. */
export function overlapping(content: string, entries: number): Buffer {
  const archive = archiveOf({ '00000.xml': content })
  const end = archive.length - 22
  if (archive.readUInt32LE(end) !== END) throw new Error('The archive ends otherwise')
  const start = archive.readUInt32LE(end + 16)
  const record = archive.subarray(start, end)
  const records = Array.from({ length: entries }, (_, index) => {
    const copy = Buffer.from(record)
    copy.write(String(index).padStart(5, '0'), 46, 'latin1')
    return copy
  })
  const directory = Buffer.concat(records)
  const last = Buffer.from(archive.subarray(end))
  last.writeUInt16LE(entries, 8)
  last.writeUInt16LE(entries, 10)
  last.writeUInt32LE(directory.length, 12)
  return Buffer.concat([archive.subarray(0, start), directory, last])
}

/** A PDF of one page whose drawing is these bytes, deflated twice. */
export function pdfOfBytes(content: Uint8Array): Buffer {
  const stream = deflateSync(deflateSync(content))
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>',
  ]
  return Buffer.concat([
    Buffer.from(
      `%PDF-1.4\n${objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('')}4 0 obj\n<< /Length ${stream.length} /Filter [/FlateDecode /FlateDecode] >>\nstream\n`,
    ),
    stream,
    Buffer.from('\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF'),
  ])
}
