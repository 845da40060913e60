import type { Link } from '../../../http/documents/links.ts'
import type { PublicDocument } from '../../../http/documents/public-document.ts'
import { asJson } from '../../../kernel/json.ts'
import { documentOf, fenced, inline, link, list, section } from '../../../kernel/markdown.ts'
import type { DiscoveryLink } from './capabilities.ts'
import type { OperationEntry, OperationReference } from './operation-reference.ts'
import { operationHtml, operationPath, referenceHtml } from './reference-html.ts'
import type { SchemaRow } from './schema-rows.ts'

const CACHE_CONTROL = 'public, max-age=300'

/** `GET /docs`: for people every operation, for programs the documents that describe them. */
export const referenceDocument = (
  entries: readonly OperationEntry[],
  documents: readonly DiscoveryLink[],
  links: readonly Link[],
): PublicDocument => ({
  data: asJson({ title: 'API reference', documents }),
  markdown: () =>
    documentOf(
      '# API reference',
      'Every route with its parameters, responses and errors is in the OpenAPI document; `/discover` lists them in short, and `/docs/operations/{operationId}` describes one. Browsers get a page with all of them.',
      list(documents.map(({ title, url }) => link(title, url))),
    ),
  html: (site) => referenceHtml(entries, documents, site),
  links,
  cacheControl: CACHE_CONTROL,
})

const rowLine = ({ name, type, required, description }: SchemaRow, place?: string) => {
  const facts = [place, type, required ? 'required' : undefined].filter(Boolean).join(', ')
  return `\`${name}\` (${inline(facts)})${description ? `: ${inline(description)}` : ''}`
}

const rowLines = (rows: readonly SchemaRow[]) => list(rows.map((row) => rowLine(row)))

function serializeOperation(operation: OperationReference, publicUrl: string) {
  const { id, method, path, tag, summary, auth, scope, body, responses, example } = operation
  return {
    operation_id: id,
    url: publicUrl + operationPath(id),
    method,
    path,
    tag,
    summary,
    auth,
    scope,
    transitional: operation.transitional,
    available: !operation.unavailable,
    parameters: operation.parameters,
    body: body && { content_type: body.contentType, fields: body.fields },
    responses: responses.map(({ status, description, codes, contentTypes, fields }) => ({
      status,
      description,
      codes,
      content_types: contentTypes,
      fields,
    })),
    example,
  }
}

/** `GET /docs/operations/{operationId}` */
export const operationDocument = (operation: OperationReference, publicUrl: string): PublicDocument => ({
  data: asJson(serializeOperation(operation, publicUrl)),
  markdown() {
    const { method, path, summary, auth, scope, parameters, body, responses, example } = operation
    return documentOf(
      `# ${inline(summary)}`,
      `\`${method} ${path}\``,
      list([`Authentication: ${auth}`, ...(scope ? [`Scope of API keys: \`${scope}\``] : [])]),
      ...section('Parameters', list(parameters.map((row) => rowLine(row, row.in)))),
      ...(body ? section('Body', documentOf(`\`${body.contentType}\``, rowLines(body.fields)).trimEnd()) : []),
      ...section('Example', fenced(example)),
      '## Answers',
      ...responses.map(({ status, description, codes, contentTypes, fields }) =>
        documentOf(
          `### ${`${status} ${description}`.trim()}`,
          codes.length > 0
            ? list(codes.map(({ code, message }) => `\`${code}\`: ${inline(message)}`))
            : contentTypes.map((type) => `\`${type}\``).join(', '),
          rowLines(fields),
        ).trimEnd(),
      ),
    )
  },
  html: (site) => operationHtml(operation, site),
  cacheControl: CACHE_CONTROL,
})
