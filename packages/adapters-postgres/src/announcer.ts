import { setTimeout as sleep } from 'node:timers/promises'

/** The time for which announcements are collected before the next one is sent. */
const PAUSE_MS = 20

/** Notifies other processes of committed events. */
export interface Announcer {
  announce(): void
  /** Sends a pending announcement. */
  close(): Promise<void>
}

/**
 * Sends the first announcement immediately and collects those that follow, so that many writers cost few notifications.
 *
 * A notification is sent after the commit, and not inside the transaction: PostgreSQL lets transactions that notify
 * commit only one after another. Readers also poll, so a lost notification does no harm.
 */
export function createAnnouncer(send: () => Promise<unknown>): Announcer {
  const closing = new AbortController()
  let wanted = false
  let turn: Promise<void> | undefined

  async function run() {
    while (wanted) {
      wanted = false
      await send().catch(() => undefined)
      await sleep(PAUSE_MS, undefined, { ref: false, signal: closing.signal }).catch(() => undefined)
    }
    turn = undefined
  }

  return {
    announce() {
      wanted = true
      turn ??= run()
    },
    async close() {
      closing.abort()
      await turn
    },
  }
}
