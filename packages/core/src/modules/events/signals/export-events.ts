import type { ProfileExporter } from '../../../framework/module/export-member.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { SignalService } from './service.ts'

const EVENTS_PATH = 'events.ndjson'
/** How far back the events of an export reach. */
const EXPORTED_MS = 24 * 3_600_000
const PAGE = 1_000

/**
 * The public events of a profile in the last 24 hours, oldest first, one CloudEvent in each line. Events for its team are
 * left out, because they are also about other people, who read, paid or wrote.
 */
export const createEventExporter = (signals: Pick<SignalService, 'anyone' | 'list'>, clock: Clock): ProfileExporter =>
  async function* ({ profile, signal }) {
    yield {
      path: EVENTS_PATH,
      kind: 'text',
      async *open() {
        const until = clock()
        const of = { filter: { profileIds: new Set([profile.id]) }, reader: signals.anyone, until: { time: until } }
        let after: { readonly id?: string; readonly time?: Date } = { time: new Date(until.getTime() - EXPORTED_MS) }
        for (;;) {
          signal.throwIfAborted()
          const page = await signals.list({ ...of, after, limit: PAGE })
          if (page.reset) return
          for (const { json } of page.events) yield `${json}\n`
          if (page.next === undefined) return
          after = { id: page.next }
        }
      },
    }
  }
