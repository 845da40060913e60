// The types of the client, from the OpenAPI document of the service with every module.
import openapiTS, { astToString } from 'openapi-typescript'
import type { DescribedDocument } from './described-routes.ts'

const ERROR = {
  description: 'An error',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

/** The media types whose bodies the client parses or returns as text; pages for people are left out. */
const isForPrograms = (type: string): boolean => type !== 'text/html'

interface Response {
  readonly content?: Readonly<Record<string, unknown>>
}

/** Returns a response without pages for people. */
const forPrograms = ({ content, ...others }: Response) => ({
  ...others,
  ...(content && { content: Object.fromEntries(Object.entries(content).filter(([type]) => isForPrograms(type))) }),
})

/**
 * Shortens a document for types: all errors of an operation are one response, because the client throws them with their code, and pages for
 * people are left out. Operations without a response for programs are left out too.
 */
function shortened({ paths, components, ...others }: DescribedDocument): object {
  const kept = Object.entries(paths).flatMap(([path, operations]) => {
    const own = Object.entries(operations).flatMap(([method, operation]) => {
      const results = Object.entries(operation.responses)
        .filter(([status]) => /^2/.test(status))
        .map(([status, response]) => [status, forPrograms(response as Response)] as const)
      const isPage = results.every(([, { content }]) => content !== undefined && Object.keys(content).length === 0)
      if (operation['x-alias-of'] !== undefined || (results.length > 0 && isPage)) return []
      return [[method, { ...operation, responses: { ...Object.fromEntries(results), default: ERROR } }]]
    })
    return own.length > 0 ? [[path, Object.fromEntries(own)]] : []
  })
  return { ...others, paths: Object.fromEntries(kept), components: { schemas: components.schemas } }
}

/** The source of packages/client/src/schema.ts. */
export async function clientTypes(document: DescribedDocument): Promise<string> {
  const types = astToString(await openapiTS(JSON.stringify(shortened(document)), { alphabetize: true }))
    .replace(/^export type (?:webhooks|\$defs) = .*\n/gm, '')
    .replace('export interface paths {', '/** The routes of a service, by path. */\nexport interface paths {')
    .replace(
      'export interface components {',
      '/** The records that routes take and return, in `schemas`. */\nexport interface components {',
    )
    .replace(
      'export interface operations {',
      '/** What each route takes and returns, by `operationId`. */\nexport interface operations {',
    )
  return `// Written by \`npm run docs\` from the OpenAPI document of the service with every module.\n${types}`
}
