import { listQuery, listResponse } from '../../../../http/documents/lists.ts'
import { callerOf } from '../../../../http/pipeline/request-context.ts'
import { type EepRoutes, type RouteConfig, routeConfig } from '../../../../http/routes.ts'
import { sessionRequired } from '../../../../kernel/errors.ts'
import { invalidCursor } from '../../../../kernel/page.ts'
import { recentSignInRequired } from '../../../../model/recent-proof.ts'
import { appCannotSpend, appNotFound, profileNotAllowed } from '../consent-errors.ts'
import { chosenLimits } from '../spending-html.ts'
import { APPS_PAGE_PATH } from './app-html.ts'
import {
  allEndedSchema,
  appChangesBody,
  appListSchema,
  appParams,
  appSchema,
  endedSchema,
  serializeApp,
} from './schemas.ts'
import type { ConnectedAppsService } from './service.ts'

const config = (route: Pick<RouteConfig, 'operationId' | 'summary' | 'errors' | 'recent' | 'page'>) =>
  routeConfig({ ...route, auth: 'bearer', tag: 'connected apps' })

/** The apps that an account connected. */
export function connectedAppRoutes(
  app: EepRoutes,
  { connectedApps }: { readonly connectedApps: ConnectedAppsService },
  { grantable }: { readonly grantable: readonly string[] },
): void {
  const { limits } = connectedApps

  app.get(
    '/account/apps',
    {
      config: config({
        operationId: 'listConnectedApps',
        summary: 'List the connected apps of the account',
        page: APPS_PAGE_PATH,
        errors: [sessionRequired, invalidCursor],
      }),
      schema: { querystring: listQuery, response: { 200: appListSchema } },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const [page, totals] = await Promise.all([
        connectedApps.list(caller, request.query),
        connectedApps.totals(caller),
      ])
      reply.header('cache-control', 'private, no-store')
      return listResponse(page, (each) => serializeApp(each, totals, limits))
    },
  )

  app.put(
    '/account/apps/:id',
    {
      config: config({
        operationId: 'updateConnectedApp',
        summary: 'Change what a connected app may do',
        // Only to allow more than before.
        recent: 'sometimes',
        errors: [sessionRequired, appNotFound, appCannotSpend, profileNotAllowed, recentSignInRequired],
      }),
      schema: { params: appParams, body: appChangesBody(grantable, limits), response: { 200: appSchema } },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const { scopes, profile_id: profileId, spending } = request.body
      const { id } = request.params
      const before = spending && chosenLimits((await connectedApps.get(id, caller)).spending, limits)
      const changed = await connectedApps.update(
        id,
        {
          scopes,
          profileId,
          limits: before && {
            purchase: spending?.purchase ?? before.purchase,
            day: spending?.day ?? before.day,
            month: spending?.month ?? before.month,
            credits: spending?.credits_day ?? before.credits,
          },
        },
        caller,
      )
      reply.header('cache-control', 'private, no-store')
      return serializeApp(changed, await connectedApps.totals(caller), limits)
    },
  )

  app.delete(
    '/account/apps/:id',
    {
      config: config({
        operationId: 'deleteConnectedApp',
        summary: 'Disconnect an app',
        errors: [sessionRequired, appNotFound],
      }),
      schema: { params: appParams, response: { 200: endedSchema } },
    },
    async (request) => {
      await connectedApps.end(request.params.id, callerOf(request))
      return { success: true as const }
    },
  )

  app.delete(
    '/account/apps',
    {
      config: config({
        operationId: 'deleteConnectedApps',
        summary: 'Disconnect all apps of the account',
        errors: [sessionRequired],
      }),
      schema: { response: { 200: allEndedSchema } },
    },
    async (request) => ({ success: true as const, ended: await connectedApps.endAll(callerOf(request)) }),
  )
}
