import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { retentionWindowExceeded } from './errors.ts'
import { splitList } from './filter.ts'
import { historyQuery, historySchema } from './schemas.ts'
import type { SignalService } from './service.ts'

/** Matches the beginning of a date, which no event id does. */
const DATE = /^\d{4}-\d\d-\d\dT/

/** An id of an event, or a time. */
const placeOf = (text: string | undefined) =>
  text !== undefined && DATE.test(text) ? { time: new Date(text) } : { id: text }

/** The route of past events. */
export function historyRoutes(app: EepRoutes, { signals }: { readonly signals: SignalService }): void {
  app.get(
    '/eep/events',
    {
      config: routeConfig({
        auth: 'key',
        scope: 'read:events',
        secrets: ['api_key'],
        tag: 'streams',
        operationId: 'listEvents',
        summary: 'List past events, oldest first',
        errors: [retentionWindowExceeded],
      }),
      schema: { querystring: historyQuery, response: { 200: historySchema } },
    },
    async (request) => {
      const { types, events, source, since, until, limit } = request.query
      const caller = callerOf(request)
      const wanted = { types: splitList(types ?? events), sources: splitList(source) }
      const paths = { types: types === undefined ? '/events' : '/types', sources: '/source' }
      const filter = await signals.readFilter(wanted, caller, paths)
      const reader = signals.readerOf(caller)
      const found = await signals.list({ filter, reader, limit, after: placeOf(since), until: placeOf(until) })
      if (found.reset) {
        const { reason, oldestEventId } = found.reset
        throw retentionWindowExceeded({
          details: { reason, oldest_retained_event_id: oldestEventId },
          body: { oldest_retained_event_id: oldestEventId },
        })
      }
      return {
        events: found.events.map(({ envelope }) => envelope),
        ...(found.next === undefined ? {} : { next_cursor: found.next }),
      }
    },
  )
}
