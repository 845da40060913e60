import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { notProfileOwner, profileNotFound } from '../../profiles/profiles/index.ts'
import { pageWithCursor } from './errors.ts'
import { auditLogPage, auditLogQuery, verificationSchema, verifyQuery } from './schemas.ts'
import { serializeEntry, serializeVerification } from './serialize.ts'
import type { AuditLogService } from './service.ts'

const toDate = (text: string | undefined) => (text === undefined ? undefined : new Date(text))

/** Routes to read and verify audit logs. */
export function auditLogRoutes(app: EepRoutes, { auditLog }: { readonly auditLog: AuditLogService }): void {
  const shared = { auth: 'key', scope: 'read:audit', tag: 'audit log' } as const

  app.get(
    '/eep/audit-log',
    {
      config: routeConfig({
        ...shared,
        operationId: 'listAuditLog',
        summary: 'List the audit log of a profile',
        errors: [invalidCursor, pageWithCursor, notProfileOwner, profileNotFound],
      }),
      schema: { querystring: auditLogQuery, response: { 200: auditLogPage } },
    },
    async (request, reply) => {
      const { profile, actor_did: actorDid, event_type: eventType, outcome, from, to, sort, ...paging } = request.query
      const { page = 1, per_page: perPage, cursor } = paging
      if (cursor !== undefined && paging.page !== undefined) throw pageWithCursor()
      const listed = await auditLog.list(
        { profileId: profile, actorDid, eventType, outcome, from: toDate(from), to: toDate(to), sort },
        { limit: perPage, cursor, offset: cursor === undefined ? (page - 1) * perPage : undefined },
        callerOf(request),
      )
      reply.header('cache-control', 'private, no-store')
      return {
        entries: listed.items.map(serializeEntry),
        total: listed.total,
        page,
        per_page: perPage,
        ...(listed.nextCursor !== undefined && { next_cursor: listed.nextCursor }),
        ...(listed.publisherDid !== undefined && { publisher_did: listed.publisherDid }),
      }
    },
  )

  app.get(
    '/eep/audit-log/verify',
    {
      config: routeConfig({
        ...shared,
        operationId: 'verifyAuditLog',
        summary: 'Verify the hashes and signatures of the audit log of a profile',
        errors: [notProfileOwner, profileNotFound],
      }),
      schema: { querystring: verifyQuery, response: { 200: verificationSchema } },
    },
    async (request, reply) => {
      const { profile, from_position: from } = request.query
      reply.header('cache-control', 'private, no-store')
      return serializeVerification(await auditLog.verify({ profileId: profile, from }, callerOf(request)))
    },
  )
}
