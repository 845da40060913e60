import { callerOf, defineError, defineEvent, defineModule, type Plan, profiles, routeConfig } from '@eep/core/module'
import { z } from 'zod'

export const quotesEdited = defineEvent('quotes.edited', {
  audience: 'team',
  subject: 'profile',
  data: z.object({ text: z.string() }),
  summary: 'The quotes of a profile were edited',
})

const quoteTooLong = defineError('quote_too_long', 422, 'The quote is too long')

/** A module of a host that declares what a module of the service can declare. Its option is an argument. */
export const quotesModule = ({ maxLength = 100 }: { readonly maxLength?: number } = {}) =>
  defineModule({
    name: 'quotes',
    requires: [profiles],
    events: [quotesEdited],
    scopes: ['write:quotes'],
    planLimits: { 'quotes.stored': { community: 1, pro: 100, team: 1_000 } },
    permissions: { 'quotes.edit': { role: 'editor', summary: 'Edit its quotes' } },
    create: ({ write, planLimits }) => ({
      quotes: {
        allowed: (plan: Plan) => planLimits(plan)['quotes.stored'],
        edit: (profileId: number, accountId: string, text: string) =>
          write(async (_tx, emit) => {
            if (text.length > maxLength) throw quoteTooLong({ details: { max_length: maxLength } })
            emit(quotesEdited, { text }, { profileId, accountId })
          }),
      },
    }),
    public: { quotes: ({ quotes }) => quotes },
    routes(app, { profiles, quotes }) {
      app.put(
        '/profiles/:id/quotes',
        {
          schema: {
            params: z.strictObject({ id: z.coerce.number().int() }),
            body: z.strictObject({ text: z.string().max(1_000) }),
          },
          config: routeConfig({
            auth: 'key',
            scope: 'write:quotes',
            tag: 'quotes',
            operationId: 'editQuotes',
            summary: 'Edit quotes',
            errors: [quoteTooLong],
          }),
        },
        async (request, reply) => {
          const caller = callerOf(request)
          await profiles.requirePermission(await profiles.get(request.params.id, caller), caller, 'quotes.edit')
          await quotes.edit(request.params.id, caller.account.id, request.body.text)
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
