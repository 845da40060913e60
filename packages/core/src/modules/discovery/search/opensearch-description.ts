import { escapeHtml } from '../../../kernel/escape-html.ts'

/** The maximum lengths of names in OpenSearch 1.1. */
const MAX_SHORT_NAME = 16
const MAX_DESCRIPTION = 1_024

/** The description of the search for browsers and other clients (OpenSearch 1.1). */
export function openSearchDescription(name: string, publicUrl: string): string {
  const url = (type: string, format: string) =>
    `  <Url type="${type}" template="${escapeHtml(`${publicUrl}/search?q={searchTerms}${format}`)}"/>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>${escapeHtml([...name].slice(0, MAX_SHORT_NAME).join(''))}</ShortName>
  <Description>${escapeHtml([...`Search ${name}`].slice(0, MAX_DESCRIPTION).join(''))}</Description>
  <InputEncoding>UTF-8</InputEncoding>
${url('text/html', '')}
${url('application/json', '&format=json')}
</OpenSearchDescription>
`
}
