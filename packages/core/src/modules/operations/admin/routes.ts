import { listResponse } from '../../../http/documents/lists.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import type { ListedAccount } from '../../../ports/storage/admin.ts'
import { secondFactorNotFound } from '../../people/accounts/index.ts'
import { cannotModifySelf, cannotResetOwn, namedAdministrator, userNotFound } from './errors.ts'
import type { ServiceHealth } from './health.ts'
import { healthSchema, serializeHealth } from './health-schemas.ts'
import {
  auditQuery,
  auditSchema,
  decisionBody,
  listedUserSchema,
  resetSchema,
  serializeAuditEntry,
  serializeListedAccount,
  serializeStats,
  statsSchema,
  userParams,
  usersQuery,
  usersSchema,
} from './schemas.ts'
import type { AdminService } from './service.ts'

/** Routes of administrators. */
export function adminRoutes(
  app: EepRoutes,
  { admin, measureHealth }: { readonly admin: AdminService; readonly measureHealth: () => Promise<ServiceHealth> },
): void {
  const shared = { auth: 'admin', tag: 'admin' } as const
  const record = (listed: ListedAccount) => serializeListedAccount(listed, admin.administers(listed.account))

  app.get(
    '/admin/users',
    {
      config: routeConfig({
        ...shared,
        operationId: 'listUsers',
        summary: 'List accounts, newest first',
        errors: [invalidCursor],
      }),
      schema: { querystring: usersQuery, response: { 200: usersSchema } },
    },
    async (request) => {
      const { q: text, email, tier, banned, is_admin: isAdmin, ...page } = request.query
      return listResponse(await admin.list({ text, email, tier, banned, isAdmin }, page), record)
    },
  )

  app.get(
    '/admin/users/:id',
    {
      config: routeConfig({
        ...shared,
        operationId: 'getUser',
        summary: 'Get an account',
        errors: [userNotFound],
      }),
      schema: { params: userParams, response: { 200: listedUserSchema } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'private, no-store')
      return record(await admin.get(request.params.id))
    },
  )

  app.put(
    '/admin/users/:id',
    {
      config: routeConfig({
        ...shared,
        operationId: 'updateUser',
        summary: 'Update the tier, ban or administrator role of an account',
        errors: [userNotFound, cannotModifySelf, namedAdministrator],
      }),
      schema: { params: userParams, body: decisionBody, response: { 200: listedUserSchema } },
    },
    async (request) => {
      const { tier, banned, is_admin: isAdmin } = request.body
      return record(await admin.decide(request.params.id, { tier, banned, isAdmin }, callerOf(request)))
    },
  )

  app.delete(
    '/admin/users/:id/second-factor',
    {
      config: routeConfig({
        ...shared,
        operationId: 'resetUserSecondFactor',
        summary: 'Disable two-factor authentication of an account, and report it to the owner by email',
        errors: [userNotFound, secondFactorNotFound, cannotResetOwn],
      }),
      schema: { params: userParams, response: { 200: resetSchema } },
    },
    async (request) => {
      await admin.resetSecondFactor(request.params.id, callerOf(request))
      return { success: true as const }
    },
  )

  app.get(
    '/admin/stats',
    {
      config: routeConfig({ ...shared, operationId: 'getStats', summary: 'Get statistics of the service' }),
      schema: { response: { 200: statsSchema } },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'private, no-store')
      return serializeStats(await admin.measure())
    },
  )

  app.get(
    '/admin/health',
    {
      config: routeConfig({
        ...shared,
        operationId: 'getServiceHealth',
        summary: 'Get the health of jobs, emails, search index and rails',
      }),
      schema: { response: { 200: healthSchema } },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'private, no-store')
      return serializeHealth(await measureHealth())
    },
  )

  app.get(
    '/admin/audit',
    {
      config: routeConfig({
        ...shared,
        operationId: 'listAuditEntries',
        summary: 'List the actions of administrators, newest first',
        errors: [invalidCursor],
      }),
      schema: { querystring: auditQuery, response: { 200: auditSchema } },
    },
    async (request) => {
      const { target, ...page } = request.query
      return listResponse(await admin.audit({ target }, page), serializeAuditEntry)
    },
  )
}
