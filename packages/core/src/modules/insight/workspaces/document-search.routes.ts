import { z } from 'zod'
import { pagination, paginationOf } from '../../../http/documents/lists.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { isStorable, STORABLE } from '../../../kernel/text-fields.ts'
import {
  invalidSearchQuery,
  searchDisabled,
  searchNotes,
  semanticSearchDisabled,
  semanticSearchUnavailable,
  serializeNotes,
} from '../../discovery/search/index.ts'
import { documentOutline, serializeDocumentOutline } from './document-schemas.ts'
import type { FoundDocument } from './document-search.ts'
import { workspaceNotFound } from './errors.ts'
import { NO_STORE, reading } from './route-configs.ts'
import { workspaceParams } from './schemas.ts'
import type { WorkspaceService } from './service.ts'

const modes = z.enum(['keyword', 'semantic', 'hybrid'])

const documentSearchQuery = z.object({
  q: z
    .string()
    .min(1)
    .max(256)
    .refine(isStorable, STORABLE)
    .describe('Words, "a phrase", -excluded, one OR other, updated:>2026-01-01'),
  mode: modes.optional().describe('`hybrid` falls back to `keyword` when the service has no semantic search'),
  limit: z.coerce.number().int().min(1).max(50).default(20),
  cursor: z.string().min(1).max(8_192).optional(),
  consistency: z
    .enum(['strong'])
    .optional()
    .describe('`strong` waits up to 2 seconds until earlier changes are indexed'),
})

const markedText = z.object({
  text: z.string(),
  ranges: z.array(z.array(z.int()).length(2)).describe('What matched: start and end, exclusive, in UTF-16 code units'),
})

const documentSearchAnswer = z
  .object({
    data: z.array(
      z.object({
        document: documentOutline,
        score: z.number().describe('0 to 1, comparable within one search'),
        title: markedText,
        snippet: markedText.describe('Plain text, as it was indexed'),
        matched: z.array(z.enum(['keyword', 'semantic', 'fuzzy'])),
      }),
    ),
    pagination,
    suggestion: z.string().optional().describe('The corrected query, when misspelled words were replaced'),
    mode: modes,
    ...searchNotes.shape,
  })
  .meta({ id: 'DocumentSearchResults' })

const marked = ({ text, ranges }: FoundDocument['hit']['title']) => ({
  text,
  ranges: ranges.map((range) => [...range]),
})

/** The search in the documents of a workspace. */
export function documentSearchRoutes(
  app: EepRoutes,
  { workspaces: { search } }: { readonly workspaces: WorkspaceService },
): void {
  app.get(
    '/workspaces/:id/search',
    {
      config: reading({
        limit: 'search',
        unavailable: search === undefined,
        operationId: 'searchWorkspace',
        summary: 'Search the documents of a workspace',
        errors: [
          workspaceNotFound,
          invalidSearchQuery,
          invalidCursor,
          searchDisabled,
          semanticSearchDisabled,
          semanticSearchUnavailable,
        ],
      }),
      schema: { params: workspaceParams, querystring: documentSearchQuery, response: { 200: documentSearchAnswer } },
    },
    async (request, reply) => {
      if (!search) throw searchDisabled()
      const { consistency, ...query } = request.query
      const isConsistent = consistency === 'strong'
      const found = await search(request.params.id, { ...query, isConsistent }, callerOf(request))
      reply.headers(NO_STORE)
      return {
        data: found.items.map(({ document, hit }) => ({
          document: serializeDocumentOutline(document),
          score: hit.score,
          title: marked(hit.title),
          snippet: marked(hit.snippet),
          matched: [...hit.matched],
        })),
        pagination: paginationOf(found),
        ...(found.suggestion !== undefined && { suggestion: found.suggestion }),
        mode: found.mode,
        ...serializeNotes(found),
      }
    },
  )
}
