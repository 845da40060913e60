import { z } from 'zod'
import { callerOf } from '../../../../http/pipeline/request-context.ts'
import { type EepRoutes, type RouteConfig, routeConfig } from '../../../../http/routes.ts'
import { notProfileOwner, profileNotFound } from '../../../profiles/profiles/index.ts'
import type { ProfileAppsService } from './service.ts'

/** The setting of a profile, as JSON and as the values of a form. */
export const profileAppsBody = z.strictObject({
  apps: z
    .enum(['allowed', 'owner_only'])
    .describe('With `owner_only`, connected apps of other members of its team do not reach the profile'),
})
const profileAppsSchema = profileAppsBody.meta({ id: 'ProfileApps' })
const params = z.object({ id: z.coerce.number().int().min(1) })

/** Without a scope for apps: none of them must let others in. */
const config = (route: Pick<RouteConfig, 'operationId' | 'summary'>) =>
  routeConfig({
    ...route,
    auth: 'bearer',
    tag: 'connected apps',
    errors: [notProfileOwner, profileNotFound],
  })

/** Routes of the setting which connected apps reach a profile. */
export function profileAppsRoutes(app: EepRoutes, { profileApps }: { readonly profileApps: ProfileAppsService }): void {
  app.get(
    '/manage/profiles/:id/apps',
    {
      config: config({ operationId: 'getProfileApps', summary: 'Get which connected apps reach a profile' }),
      schema: { params, response: { 200: profileAppsSchema } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'private, no-store')
      return { apps: await profileApps.get(request.params.id, callerOf(request)) }
    },
  )

  app.put(
    '/manage/profiles/:id/apps',
    {
      config: config({ operationId: 'setProfileApps', summary: 'Set which connected apps reach a profile' }),
      schema: { params, body: profileAppsBody, response: { 200: profileAppsSchema } },
    },
    async (request, reply) => {
      const { apps } = request.body
      await profileApps.set(request.params.id, apps, callerOf(request))
      reply.header('cache-control', 'private, no-store')
      return { apps }
    },
  )
}
