import { callerOf, defineModule, type Plan, profiles, routeConfig } from '@eep/core/module'
import { z } from 'zod'

/** A module of a host that declares what a module of the service can declare. */
export const quotesModule = () =>
  defineModule({
    name: 'quotes',
    requires: [profiles],
    planLimits: { 'quotes.stored': { community: 1, pro: 100, team: 1_000 } },
    permissions: { 'quotes.edit': { role: 'editor', summary: 'Edit its quotes' } },
    create: ({ planLimits }) => ({ quotes: { allowed: (plan: Plan) => planLimits(plan)['quotes.stored'] } }),
    public: { quotes: ({ quotes }) => quotes },
    routes(app, { profiles }) {
      app.put(
        '/profiles/:id/quotes',
        {
          schema: { params: z.strictObject({ id: z.coerce.number().int() }) },
          config: routeConfig({ auth: 'bearer', tag: 'quotes', operationId: 'editQuotes', summary: 'Edit quotes' }),
        },
        async (request, reply) => {
          const caller = callerOf(request)
          await profiles.requirePermission(await profiles.get(request.params.id, caller), caller, 'quotes.edit')
          return reply.code(204).send()
        },
      )
    },
  })

declare module '@eep/core' {
  interface EepExtensions {
    quotes: ReturnType<typeof quotesModule>
  }
  interface EepPlanLimits {
    'quotes.stored': number
  }
  interface EepPermissions {
    'quotes.edit': true
  }
}
