import { createHash } from 'node:crypto'
import { readdir, readFile, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LocalChain } from '@eep/payments-x402/testing'
import { busyness } from './busyness.ts'
import type { Checks } from './checks.ts'
import { query } from './growth.ts'
import type { Journal } from './journal.ts'
import { type Owner, revisionOf } from './owners.ts'
import { type Headers, jsonOf, type Requests } from './requests.ts'
import type { Instance } from './service.ts'
import type { Receiver, StreamClient } from './subscribers.ts'

const AT_ONCE = 16
const WAIT_MS = 180_000

export interface Evidence {
  readonly checks: Checks
  readonly journal: Journal
  readonly owners: readonly Owner[]
  readonly requests: Requests
  readonly instances: readonly Instance[]
  readonly connectionString: string
  readonly chain: LocalChain
  readonly streams: readonly StreamClient[]
  /** The query of the streams. */
  readonly streamQuery: string
  readonly receiver: Receiver
  /** The directory of the stored files. */
  readonly filesDirectory: string
  /** Runs `eep purge`. */
  readonly purge: () => Promise<void>
}

/** Repeats until it returns true; returns false when that takes more than three minutes, or more on a busy machine. */
async function eventually(isSo: () => Promise<boolean> | boolean): Promise<boolean> {
  for (const end = Date.now() + WAIT_MS * busyness(); Date.now() < end; await sleep(250)) if (await isSo()) return true
  return false
}

async function inParallel<Item>(items: readonly Item[], work: (item: Item, index: number) => Promise<void>) {
  let next = 0
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) await work(items[index] as Item, index)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** A page of the event history, as far as it is read here. */
interface EventPage {
  readonly events: readonly { readonly id: string }[]
  readonly next_cursor?: string
}

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Compares what the clients know with what the service has, after the load. */
export async function verifyAll(evidence: Evidence): Promise<void> {
  await verifyPayments(evidence)
  await verifyWrites(evidence)
  await verifyEvents(evidence)
  await verifyBlobs(evidence)
  await verifyLogs(evidence)
}

/** Everything is read over HTTP, by turns from both instances, without the caches of the run: it is read as JSON. */
async function verifyWrites({ checks, journal, owners, requests, instances, connectionString }: Evidence) {
  const get = (index: number, path: string, headers: Headers = {}) =>
    requests.request(instances[index % instances.length]?.url ?? '', { path, headers })
  const lost = (what: string) => checks.violate('writes', what)
  const json = { accept: 'application/json' }

  await inParallel(journal.pages, async ({ title, path }, index) => {
    const { status, body } = await get(index, path, json)
    if (status !== 200 || !body.includes(title)) lost(`${title}: ${path} answers ${status}`)
  })
  await inParallel(journal.posts, async ({ id, body: text }, index) => {
    const { status, body } = await get(index, `/feed/posts/${id}`, json)
    if (status !== 200 || !body.includes(text)) lost(`${text}: the post ${id} answers ${status}`)
  })
  await inParallel([...journal.files.values()], async ({ id, digest }, index) => {
    const { status, body } = await get(index, `/files/${id}`)
    if (status !== 200 || digestOf(body) !== digest) lost(`the file ${id} answers ${status}`)
  })
  await inParallel(journal.deletedFiles, async (id, index) => {
    const { status } = await get(index, `/files/${id}`)
    if (status !== 404) lost(`the deleted file ${id} answers ${status}`)
  })
  await inParallel(
    owners.flatMap(({ living }) => living),
    async (page, index) => {
      const { body } = await get(index, page.path, { accept: 'text/markdown' })
      const revision = revisionOf(body.toString())
      const isOpen = journal.open.has(`${page.path}#${page.revision + 1}`)
      if (revision !== page.revision && !(isOpen && revision === page.revision + 1)) {
        lost(`${page.path} has revision ${revision}, not ${page.revision}`)
      }
    },
  )

  let repeated = 0
  for (const [table, column, marker] of [
    ['pages', 'title', 'Soak page %'],
    ['feed_posts', 'body', 'Soak post %'],
    ['files', 'filename', 'soak-%'],
  ]) {
    const rows = await query<{ readonly text: string; readonly count: string }>(
      connectionString,
      `select ${column} as text, count(*) from eep.${table} where ${column} like $1 group by 1 having count(*) > 1`,
      [marker],
    )
    for (const { text, count } of rows) {
      repeated += Number(count) - 1
      if (!journal.uncertain.has(text)) checks.violate('repeated', `${text}: ${count} times in ${table}`)
    }
  }
  const counts = [...journal.counts].map(([kind, count]) => `${count.toLocaleString('en')} × ${kind}`).join(', ')
  checks.note('writes', `read again over HTTP: ${counts}`)
  checks.note('repeated', `${journal.uncertain.size} writes had a lost response, ${repeated} of them took effect twice`)
}

async function verifyPayments({ checks, journal, connectionString, chain }: Evidence) {
  const isSettled = await eventually(async () => {
    const open = await query(connectionString, `select from eep.payments where state in ('settling', 'unknown')`)
    return open.length === 0
  })
  if (!isSettled) checks.violate('outcomes', 'payments are still without an outcome')

  const byWallet = async (table: string) =>
    new Map(
      (
        await query<{ readonly wallet: string; readonly count: string }>(
          connectionString,
          `select lower(payer_wallet_address) as wallet, count(*) from eep.${table} group by 1`,
        )
      ).map(({ wallet, count }) => [wallet, Number(count)]),
    )
  const [receipts, entitlements] = [await byWallet('receipts'), await byWallet('grants')]
  let served = 0
  let charged = 0
  await inParallel(journal.payments, async ({ wallet, amount, outcome }) => {
    const key = wallet.toLowerCase()
    const [receipt, entitlement] = [receipts.get(key) ?? 0, entitlements.get(key) ?? 0]
    const charges = Number((50_000n - (await chain.balanceOf(wallet))) / amount)
    charged += charges
    if (outcome === 'served') served += 1
    if (outcome === 'served' && (receipt !== 1 || entitlement !== 1)) {
      checks.violate('paid', `${wallet}: ${receipt} receipts, ${entitlement} entitlements`)
    }
    if (charges > 1 || charges !== receipt) {
      checks.violate('charges', `${wallet} (${outcome}): ${charges} charges, ${receipt} receipts`)
    }
    if (outcome === 'refused' && charges > 0) checks.violate('charges', `${wallet} was refused and charged`)
  })
  const [sum] = await query<{ readonly sum: string | null }>(
    connectionString,
    'select sum(amount_atomic::numeric) from eep.receipts',
  )
  const balance = await chain.balanceOf(chain.wallets.seller.address)
  if (balance !== BigInt(sum?.sum ?? 0)) {
    checks.violate('books', `the seller has ${balance}, the receipts say ${sum?.sum}`)
  }
  checks.note('books', `${balance} units on the chain, ${sum?.sum ?? 0} in ${receipts.size} receipts`)
  checks.note('paid', `${served} payments served`)
  checks.note('charges', `${charged} charges of ${journal.payments.length} wallets`)
}

async function verifyEvents(evidence: Evidence) {
  const { checks, journal, requests, instances, owners, connectionString, streams, streamQuery, receiver } = evidence
  const [owner, instance] = [owners[0], instances[0]]
  if (!owner || !instance) return
  let events = 0
  for (const [index, stream] of streams.entries()) {
    const [first] = stream.ids
    if (first === undefined) {
      checks.violate('streams', `the stream ${index} got no event`)
      continue
    }
    const expected: string[] = [first]
    for (let since: string | undefined = first; since !== undefined; ) {
      const path: string = `/eep/events?limit=1000&${streamQuery}&since=${since}`
      const page: EventPage = jsonOf<EventPage>(await requests.request(instance.url, { path, headers: owner.headers }))
      expected.push(...page.events.map(({ id }) => id))
      since = page.next_cursor
    }
    await eventually(() => stream.ids.length >= expected.length)
    events = Math.max(events, expected.length)
    const at = expected.findIndex((id, position) => stream.ids[position] !== id)
    if (at >= 0 || stream.ids.length !== expected.length) {
      checks.violate(
        'streams',
        `the stream ${index} has ${stream.ids.length} events of ${expected.length}; at ${at} it has ${stream.ids[at]}, not ${expected[at]}`,
      )
    }
  }
  const connections = streams.reduce((sum, stream) => sum + stream.connections(), 0)
  checks.note('streams', `${events} events, ${streams.length} streams with ${connections} connections`)

  const isDelivered = await eventually(async () => {
    const left = await query(connectionString, 'select from eep.webhook_deliveries where settled_at is null')
    return left.length === 0
  })
  if (!isDelivered) checks.violate('webhooks', 'deliveries still wait')
  const pages = receiver.pages()
  const missing = journal.pages.filter(({ id }) => !pages.has(id))
  for (const { title } of missing) checks.violate('webhooks', `no event about ${title} arrived`)
  checks.note(
    'webhooks',
    `${receiver.arrived()} events in ${receiver.deliveries()} deliveries, ${receiver.refused()} of them refused`,
  )
}

/** Makes what a crash left look two days old, sweeps, and compares the files with their rows. */
async function verifyBlobs({ checks, connectionString, filesDirectory, purge }: Evidence) {
  const paths = async () => {
    const entries = await readdir(filesDirectory, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  }
  const before = await paths()
  const old = new Date(Date.now() - 2 * 86_400_000)
  for (const path of before) await utimes(path, old, old)
  await query(
    connectionString,
    `update eep.files set created_at = created_at - interval '2 days' where state = 'pending'`,
  )
  await purge()
  const rows = await query<{ readonly key: string; readonly size: string }>(
    connectionString,
    `select key, size from eep.files where state = 'stored'`,
  )
  const sizes = new Map(rows.map(({ key, size }) => [key, Number(size)]))
  const after = await paths()
  for (const path of after) {
    const key = path.split('/').at(-1) ?? ''
    const size = sizes.get(key)
    sizes.delete(key)
    if (size === undefined) checks.violate('blobs', `${path} belongs to no file`)
    else if ((await stat(path)).size !== size) checks.violate('blobs', `${path} has another size than its file`)
  }
  for (const key of sizes.keys()) checks.violate('blobs', `the bytes of ${key} are missing`)
  checks.note('blobs', `${rows.length} files; the sweep removed ${before.length - after.length} of ${before.length}`)
}

async function verifyLogs({ checks, instances }: Evidence) {
  for (const { name, logFile, crashes } of instances) {
    if (crashes() > 0) checks.violate('processes', `${name} ended ${crashes()} times by itself`)
    for (const line of (await readFile(logFile, 'utf8')).split('\n')) {
      if (line.includes('"request failed"')) checks.violate('processes', `${name}: ${line.slice(0, 600)}`)
    }
  }
}
