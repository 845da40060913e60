import { defineModule, routeConfig } from '@eep/core/module'
import { z } from 'zod'

/** A module of a host that shows what the service knows of the program that sent a request, and grants access by it. */
export const botModule = () =>
  defineModule({
    name: 'shown-bots',
    routes(app) {
      const config = (operationId: string) =>
        routeConfig({ auth: 'none', tag: 'bots', operationId, summary: 'Show the program' })
      app.get('/shown-bots', { config: config('showBot') }, async ({ eep }) => ({
        bot: eep.bot,
        engine: eep.searchEngine ?? null,
      }))
      app.get('/shown-bots/settled', { config: config('showSettledBot') }, async ({ eep }) => ({
        bot: (await eep.botCheck?.settled()) ?? eep.bot,
      }))
      app.get(
        '/shown-bots/granted/:name',
        { config: config('readByIdentity'), schema: { params: z.strictObject({ name: z.string().max(50) }) } },
        async ({ eep, params }) => ({ bot: (await eep.botCheck?.use(params.name)) ?? eep.bot }),
      )
    },
  })
