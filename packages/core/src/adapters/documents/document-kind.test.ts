import { expect, it } from 'vitest'
import { documentKindOf } from './document-kind.ts'

it.each([
  ['text/plain; charset=utf-8', 'notes.txt', 'text'],
  ['text/markdown; charset=utf-8', 'notes.md', 'text'],
  ['TEXT/CSV', 'table.csv', 'csv'],
  ['application/pdf', 'no-extension', 'pdf'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'letter', 'docx'],
  ['application/zip', 'Slides.PPTX', 'pptx'],
  ['application/zip', 'photos.zip', undefined],
  ['application/zip', 'x.constructor', undefined],
  ['image/png', 'letter.docx', undefined],
  ['constructor', 'x', undefined],
  ['', '', undefined],
])('takes %s named %s for %s', (contentType, filename, kind) => {
  expect(documentKindOf(contentType, filename)).toBe(kind)
})
