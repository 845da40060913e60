/** What a run must show. Each has a sentence for the report. */
export const CHECKS = {
  writes: 'No acknowledged write is lost',
  repeated: 'No write takes effect twice, unless a response to it was lost',
  paid: 'Each payment that was served has exactly one receipt and one entitlement',
  charges: 'No wallet is charged twice, and none is charged without a receipt',
  books: 'The balance of the seller on the chain equals the sum of the receipts',
  outcomes: 'No payment stays without an outcome',
  entitled: 'No buyer is asked to pay again',
  sold: 'Sold content is never served without a payment',
  fresh: 'No read is older than a change that was acknowledged 65 seconds before',
  streams: 'Each stream gets each event once and in order',
  webhooks: 'Each event arrives at its webhook, always under the same id',
  blobs: 'After the sweep, each stored file has its bytes and no other bytes are left',
  available:
    'Reads and writes are answered outside of restarts of the database, on a busy machine outside of all faults',
  recovery:
    'The service recovers from each fault within 30 seconds, times the load average per processor where it is above 1',
  answers: 'No response has an unexpected status',
  processes: 'No instance ends by itself, and no log has an internal error',
  memory: 'Memory after garbage collection does not grow',
  handles: 'File descriptors, event loop resources and connections do not grow',
  tables: 'Tables do not grow beyond their rows',
} as const

export type CheckName = keyof typeof CHECKS

const KEPT = 20

/** Collects violations while the load runs, and afterwards. */
export function createChecks() {
  const found = new Map<CheckName, { count: number; examples: string[] }>()
  const notes = new Map<CheckName, string>()
  return {
    /** Records a violation, and prints the first ones of each check. */
    violate(check: CheckName, what: string): void {
      const entry = found.get(check) ?? { count: 0, examples: [] }
      found.set(check, entry)
      entry.count += 1
      if (entry.examples.length >= KEPT) return
      entry.examples.push(`${new Date().toISOString()} ${what}`)
      console.error(`violation of "${CHECKS[check]}": ${what}`)
    },
    /** Adds the figures that a check compared. */
    note(check: CheckName, what: string): void {
      notes.set(check, what)
    },
    list: () =>
      (Object.keys(CHECKS) as CheckName[]).map((name) => ({
        name,
        sentence: CHECKS[name],
        note: notes.get(name) ?? '',
        count: found.get(name)?.count ?? 0,
        examples: found.get(name)?.examples ?? [],
      })),
  }
}

export type Checks = ReturnType<typeof createChecks>
