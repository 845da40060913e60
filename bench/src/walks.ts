// Prints the files of core that three requests pass: files of `modules` and `http` of which a function runs between the
// start of the route's handler and the end of the response, measured on a warm cache by the precise coverage of V8.
// `--all` also prints the files of the layers below them. Rails are not part of core. Fails when a request passes too many.
import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { pgliteStorage } from '@eep/adapters-postgres/pglite'
import { eep } from '@eep/core'
import { cashRail, createCashWallets } from '@eep/core/testing'
import Fastify from 'fastify'

const CORE = fileURLToPath(new URL('../../packages/core/src/', import.meta.url))
const counted = process.argv.includes('--all') ? /^(?!kernel|testing)/ : /^(modules|http)\//

interface Wanted {
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly url: string
  readonly headers?: Record<string, string>
  readonly payload?: object
}

const coverage = new Session()
coverage.connect()
await coverage.post('Profiler.enable')
await coverage.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
/** Returns what ran since the last call. */
const take = () => coverage.post('Profiler.takePreciseCoverage')

const cashWallets = createCashWallets()
const storage = await pgliteStorage()
const app = Fastify()
// The hooks that every request passes have run by now.
app.addHook('preHandler', async () => {
  await take()
})
await app.register(eep, {
  publicUrl: 'https://profiles.example',
  secret: 'a secret for measuring, of thirty-two characters or more',
  storage,
  payments: { rails: [cashRail({ cashWallets })] },
  auth: { passwordHashing: { memoryKiB: 1_024 } },
  // They read the event log in the background, while the requests are counted.
  modules: { signals: false, webhooks: false },
})
await app.ready()
await app.eep.start()

async function ask({ method = 'GET', url, headers = {}, payload }: Wanted, status = 200) {
  const answer = await app.inject({ method, url, headers, ...(payload && { payload }) })
  if (answer.statusCode !== status) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body}`)
  return answer
}

/** A seller with an open page and two that are sold. */
async function openShop() {
  const seller = { email: 'ada@example.com', username: 'ada', password: 'Correct horse 7 battery' }
  const { token, user } = (await ask({ method: 'POST', url: '/auth/register', payload: seller }, 201)).json()
  const headers = { authorization: `Bearer ${token}` }
  const profile = { profile_id: user.active_profile_id }
  const make = async (url: string, payload: object) =>
    (await ask({ method: 'POST', url, headers, payload: { ...profile, ...payload } }, 201)).json()
  const { id } = await make('/manage/categories', { name: 'Notes' })
  await make('/manage/pages', { title: 'Welcome', body: 'Open.', status: 'published' })
  for (const title of ['Engines', 'Looms']) {
    await make('/manage/pages', { title, category_id: id, body: 'Sold.', status: 'published' })
  }
  const requirements = [{ type: 'payment', amount: 0.01, currency: 'usdc', per: 'day' }]
  const tiers = {
    public: { requirements: [], access: ['profile.*', 'content.*'] },
    engines: { requirements, access: ['content.notes.engines'] },
    looms: { requirements, access: ['content.notes.looms'] },
  }
  const url = '/eep/gates/did:web:profiles.example:u:ada'
  await ask({ method: 'PUT', url, headers, payload: { default_tier: 'public', tiers } })
}

/** Returns a request with a payment for what it asks for. */
async function withPayment(url: string): Promise<Wanted> {
  const unpaid = await ask({ url }, 402)
  return { url, headers: cashWallets.answer(String(unpaid.headers['payment-required']), { wallet: 'wallet:ada' }) }
}

async function filesOf(request: Wanted): Promise<readonly string[]> {
  // Offers are cached until their second ends; without this, the payment might skip the decision.
  await sleep(1_000)
  await ask(request)
  const { result } = await take()
  return result
    .filter(({ url }) => url.startsWith(`file://${CORE}`))
    .filter(({ functions }) => functions.some((one) => one.functionName !== '' && one.ranges.some((r) => r.count > 0)))
    .map(({ url }) => relative(CORE, fileURLToPath(url)))
    .filter((file) => counted.test(file))
    .sort()
}

await openShop()
const open = { url: '/u/ada/content/welcome' }
const payer = { 'x-eep-payer-wallet': 'wallet:ada', 'x-eep-payer-network': 'cash:test' }
const entitled = { url: '/u/ada/content/notes/looms', headers: payer }
await ask(await withPayment(entitled.url))
const paid = await withPayment('/u/ada/content/notes/engines')
await ask(open)
await ask(entitled)

const walks: readonly (readonly [name: string, atMost: number, request: Wanted])[] = [
  ['open page', 10, open],
  // No answer to another address is kept.
  ['open page, whose answer is not kept', 10, { url: `${open.url}?again` }],
  ['gated page, entitled reader', 15, entitled],
  ['payment', 30, paid],
]
for (const [name, atMost, request] of walks) {
  const files = await filesOf(request)
  console.log(`\n${name}: ${files.length} files, at most ${atMost}`)
  if (counted.source.includes('modules') && files.length > atMost) process.exitCode = 1
  for (const file of files) console.log(`  ${file}`)
}
await app.close()
await storage.close?.()
