import { setTimeout as sleep } from 'node:timers/promises'
import { compareCursors, LOG_START } from '../../ports/storage/events.ts'
import type { Storage } from '../../ports/storage/storage.ts'
import { databaseOf } from '../make-parts.ts'
import { openService } from '../open-service.ts'
import { type Command, type CommandInput, type CommandResult, textOf, UsageError } from './command.ts'

const POLL_MS = 250
const DEFAULT_SECONDS = 30
/** The interval of lines about a rebuild in progress. */
const REPORT_MS = 5_000
const AT_ONCE = 1_000
const REQUESTED = 'search.reindex_requested'

/** Requests a rebuild of the search index, and waits for it. */
export const reindex: Command = {
  name: 'reindex',
  usage: '[--timeout <seconds>]',
  summary: 'lets a running host rebuild the search index',
  help: `Requests a rebuild of the search index, which a running host does next to the index in use, and waits until it is
finished. Fails when no host begins in time; then the next that starts rebuilds the index. With an embedded database the
command does not wait, because no host can be running.

  --timeout <seconds>   how long to wait for a host to begin; 0 does not wait. Default: ${DEFAULT_SECONDS}`,
  positionals: 0,
  options: { timeout: { type: 'string' } },
  run: requestRebuild,
}

function secondsOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_SECONDS
  if (!/^\d{1,6}$/.test(text)) throw new UsageError('--timeout must be a number of seconds')
  return Number(text)
}

/** Returns the position of the last request after a position in the log. */
async function findRequest(storage: Storage, after: string): Promise<string> {
  for (let start = after; ; ) {
    const { events, early } = await storage.read.events.list({ after: start, limit: AT_ONCE })
    const found = [...events, ...early].findLast(({ type }) => type === REQUESTED)
    if (found) return found.cursor
    start = events.at(-1)?.cursor ?? start
    await sleep(POLL_MS)
  }
}

async function requestRebuild({ host, options, readConfiguration, progress }: CommandInput): Promise<CommandResult> {
  const seconds = secondsOf(textOf(options, 'timeout'))
  const configuration = readConfiguration()
  const { eep, storage, close } = await openService(host, configuration)
  try {
    const before = await storage.read.events.head()
    await eep.search.reindex()
    if (seconds === 0 || databaseOf(host, configuration).isEmbedded) {
      return {
        text: 'A running host rebuilds the search index, otherwise the next that starts',
        json: { requested: true, finished: false },
      }
    }
    const index = storage.search()
    const request = await findRequest(storage, before)
    const hasBegun = async () => compareCursors((await index.position()) ?? LOG_START, request) >= 0
    progress('Waiting for a running host to begin')
    for (const end = Date.now() + seconds * 1_000; !(await hasBegun()); await sleep(POLL_MS)) {
      if (Date.now() < end) continue
      return {
        text: `No host has begun within ${seconds} seconds; the next that starts rebuilds the search index`,
        json: { requested: true, finished: false },
        exitCode: 1,
      }
    }
    const begunAt = Date.now()
    let reportedAt = 0
    for (let stats = await index.stats(); ; stats = await index.stats()) {
      if (!stats.isRebuilding) {
        const { documents } = stats
        return {
          text: `The search index is rebuilt and has ${documents} documents`,
          json: { requested: true, finished: true, documents },
        }
      }
      if (Date.now() - reportedAt >= REPORT_MS) {
        reportedAt = Date.now()
        progress(`Rebuilding for ${Math.round((reportedAt - begunAt) / 1_000)} seconds`)
      }
      await sleep(POLL_MS)
    }
  } finally {
    await close()
  }
}
