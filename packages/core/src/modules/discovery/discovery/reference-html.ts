import { type Html, html } from '../../../http/html/html.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { PAGES_TAG } from '../../../http/html/visits.ts'
import type { DiscoveryLink } from './capabilities.ts'
import { documentTitle } from './document-title.ts'
import type { OperationEntry, OperationReference, ParameterRow, ResponseEntry } from './operation-reference.ts'
import type { SchemaRow } from './schema-rows.ts'

/** The path of the page of an operation. */
export const operationPath = (id: string): string => `/docs/operations/${id}`

const idOf = (tag: string) => `tag-${tag.replaceAll(/[^a-z0-9]+/g, '-')}`
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The reference is in English, whatever the language of the page around it. */
const inEnglish = (body: Html) => html`<div lang="en" dir="ltr" class="reference">${body}</div>`

export function referenceHtml(
  entries: readonly OperationEntry[],
  documents: readonly DiscoveryLink[],
  site: Site,
): HtmlView {
  // Programs do not call the pages for people, and need each operation once.
  const ofPrograms = entries.filter(({ tag, isAlias }) => tag !== PAGES_TAG && !isAlias)
  const byTag = [...Map.groupBy(ofPrograms, ({ tag }) => tag)].toSorted(([left], [right]) => left.localeCompare(right))
  return {
    title: documentTitle(site, '/docs', 'API reference'),
    description: `Every operation of ${site.name}, with its parameters, responses and errors.`,
    head: inEnglish(html`<h1>API reference</h1>
<p class="lead">Every operation of this service for programs, with its parameters, responses and errors.</p>
<p>For generators of clients, and with the pages for people: <a href="${hrefOn(site, '/docs/openapi.json')}">OpenAPI 3.1</a>. Each path begins with <code>${site.publicUrl}${site.basePath}</code>.</p>
<nav aria-label="Groups of operations"><ul class="chips">${byTag.map(([tag]) => html`<li><a href="#${idOf(tag)}">${capitalized(tag)}</a></li>`)}</ul></nav>
${byTag.map(
  ([tag, operations]) => html`<section><h2 id="${idOf(tag)}">${capitalized(tag)}</h2><ul class="operations">
${operations.map(({ id, method, path, summary }) => html`<li><a href="${hrefOn(site, operationPath(id))}">${summary}</a><br><code>${method} ${path}</code></li>\n`)}</ul></section>\n`,
)}<section><h2>Documents</h2><ul>${documents.map(({ title, url }) => html`<li><a href="${hrefOn(site, url)}">${title}</a></li>\n`)}</ul></section>`),
  }
}

const AUTH: Readonly<Record<string, string>> = {
  none: 'Everyone may call it.',
  bearer: 'Needs a session: a bearer token or the cookie of a browser.',
  key: 'Needs a session or an API key.',
  admin: 'Needs the session of an administrator.',
}

const fieldItem = ({ name, type, required, description }: SchemaRow, place?: string) =>
  html`<li><code>${name}</code> <span class="soft">${[place, type, required ? 'required' : undefined].filter(Boolean).join(', ')}</span>${description && html`<p>${description}</p>`}</li>\n`

const fields = (rows: readonly SchemaRow[]) =>
  rows.length > 0 && html`<ul class="operations">${rows.map((row) => fieldItem(row))}</ul>`

const parameters = (rows: readonly ParameterRow[]) =>
  rows.length > 0 &&
  html`<section><h2>Parameters</h2><ul class="operations">${rows.map((row) => fieldItem(row, row.in))}</ul></section>\n`

const responseItem = ({ status, description, codes, contentTypes, fields: rows }: ResponseEntry, site: Site) =>
  html`<section><h3>${status}${description && ` ${description}`}</h3>
${codes.length > 0 && html`<ul>${codes.map(({ code, message }) => html`<li><a href="${hrefOn(site, `/docs/errors/${code}`)}"><code>${code}</code></a> ${message}</li>`)}</ul>`}${codes.length === 0 && contentTypes.length > 0 && html`<p class="soft">${contentTypes.map((type, index) => [index > 0 && ', ', html`<code>${type}</code>`])}</p>`}${fields(rows)}</section>\n`

/** The page of one operation. */
export function operationHtml(operation: OperationReference, site: Site): HtmlView {
  const { method, path, summary, tag, auth, scope, body, responses, example } = operation
  return {
    title: summary,
    textLanguage: 'en',
    description: `${method} ${path}: ${summary}`,
    crumbs: [{ name: documentTitle(site, '/docs', 'API reference'), href: '/docs' }],
    head: inEnglish(html`<p class="label"><a href="${hrefOn(site, '/docs')}#${idOf(tag)}">${capitalized(tag)}</a></p>
<h1>${summary}</h1>
<pre tabindex="0"><code>${method} ${path}</code></pre>
<p>${AUTH[auth] ?? ''}${scope && html` API keys need the scope <code>${scope}</code>.`}${operation.transitional && ' The operation is transitional.'}${operation.unavailable && ' This service does not offer what it needs.'}</p>
${parameters(operation.parameters)}${
  body &&
  html`<section><h2>Body</h2><p class="soft"><code>${body.contentType}</code></p>${fields(body.fields)}</section>\n`
}<section><h2>Example</h2><pre tabindex="0"><code>${example}</code></pre></section>
<section><h2>Answers</h2>
${responses.map((response) => responseItem(response, site))}</section>`),
  }
}
