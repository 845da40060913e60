import type { Worker } from '../../../framework/module/define-module.ts'
import { inBatches } from '../../../runtime/consumers/batches.ts'
import { timed } from '../../../runtime/consumers/timed.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'

export interface WorkspaceUpkeepDeps extends Pick<GuardedStorage<'workspaces'>, 'write'> {
  readonly onError: (error: unknown) => void
}

const EVERY_MS = 60_000
const ROWS_AT_ONCE = 200

/** Deletes the rows of deleted workspaces in short transactions. */
export function createWorkspaceUpkeep({ write, onError }: WorkspaceUpkeepDeps): Worker {
  async function sweep(signal: AbortSignal): Promise<void> {
    await inBatches(() => write((tx) => tx.workspaces.sweep(ROWS_AT_ONCE)), signal)
  }
  return { ...timed(sweep, { everyMs: EVERY_MS, firstMs: 10_000, jitter: 0.25, onError }), purge: sweep }
}
