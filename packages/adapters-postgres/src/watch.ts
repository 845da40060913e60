import { eventChannel } from './stores/events.ts'

/** A connection that is not yet open, as `new pg.Client(…)` makes it. */
export interface ListenClient {
  connect(): Promise<unknown>
  query(sql: string): Promise<unknown>
  on(event: 'notification' | 'error' | 'end', listener: (argument?: unknown) => void): unknown
  end(): Promise<void>
}

const FIRST_RETRY_MS = 100
const LAST_RETRY_MS = 30_000
/** The interval of queries that detect a connection that was lost without an error. */
const PROBE_MS = 30_000

/**
 * Calls `wake` for each notification of the event log, over a separate connection that is opened again when it breaks.
 * Events may have been stored while it was down, so a new connection wakes too.
 */
export async function watchEvents(
  connect: () => ListenClient,
  schema: string,
  wake: () => void,
): Promise<() => Promise<void>> {
  let stopped = false
  let failures = 0
  let wasOpen = false
  let client: ListenClient | undefined
  let timer: NodeJS.Timeout | undefined

  const open = async () => {
    const fresh = connect()
    let broken = false
    const lost = () => {
      if (broken) return
      broken = true
      clearTimeout(timer)
      fresh.end().catch(() => {})
      if (stopped) return
      const delay = Math.min(FIRST_RETRY_MS * 2 ** failures++, LAST_RETRY_MS)
      timer = setTimeout(() => void open().catch(() => {}), delay * (0.5 + Math.random() / 2))
      timer.unref()
    }
    const probe = () => {
      timer = setTimeout(() => void fresh.query('select 1').then(probe, lost), PROBE_MS)
      timer.unref()
    }
    fresh.on('error', lost)
    fresh.on('end', lost)
    fresh.on('notification', () => wake())
    client = fresh
    try {
      await fresh.connect()
      await fresh.query(`listen "${eventChannel(schema)}"`)
    } catch (error) {
      lost()
      throw error
    }
    failures = 0
    probe()
    if (wasOpen) wake()
    wasOpen = true
  }

  await open().catch(() => {})
  return async () => {
    stopped = true
    clearTimeout(timer)
    await client?.end().catch(() => {})
  }
}
