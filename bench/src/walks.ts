// Measures through which files of core five walks go: files of `modules` and `http` of which a function runs between the
// start of the handler of a route and the end of its answer, and in the background until the walk is done, on a warm service.
// Rails and storages are not part of core.
// Prints the files; `--all` also prints those of the layers below. `--write` writes the table of docs/architecture.md.
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pgliteStorage } from '@eep/adapters-postgres/pglite'
import { eep } from '@eep/core'
import { type EverythingOptions, everything } from '@eep/core/everything'
import { directoryBlobs } from '@eep/core/files'
import { documentConverter } from '@eep/core/files/text'
import { cashRail, createCashWallets } from '@eep/core/testing'
import Fastify, { type FastifyInstance } from 'fastify'
import { type Asked, ask, createFileRecorder } from './file-recorder.ts'

const PAGE = new URL('../../docs/architecture.md', import.meta.url)
const TABLE = /(<!-- walks -->\n)[\s\S]*?(<!-- \/walks -->)/
/** Nothing takes this long; it ends what hangs. */
const LIMIT_MS = 60_000
/** Until then every instance has deleted what is too old, which is on no walk. */
const DELETED_MS = 2_000

/** Modules that work in the background, on timers or on the event log. */
const FOLLOWERS: EverythingOptions = {
  signals: false,
  sockets: false,
  webhooks: false,
  notifications: false,
  search: false,
  analytics: false,
  insights: false,
  auditLog: false,
  agentAccess: false,
  memory: false,
  workspaces: false,
}

/** What one walk passed. */
interface Walk {
  readonly name: string
  readonly files: readonly string[]
}

const storage = pgliteStorage()
const directory = await mkdtemp(join(tmpdir(), 'eep-walks-'))
const cashWallets = createCashWallets()
const index = storage.search()
const recorder = await createFileRecorder()

/** Starts an instance. Its modules that follow the event log are off, but those of the walk. */
async function startInstance(following: EverythingOptions): Promise<FastifyInstance> {
  const app = Fastify()
  recorder.leaveOutHooks(app)
  await app.register(eep, {
    publicUrl: 'https://profiles.example',
    secret: 'a secret for measuring, of thirty-two characters or more',
    storage,
    payments: { rails: [cashRail({ cashWallets })] },
    auth: { passwordHashing: { memoryKiB: 1_024 } },
    modules: everything({ ...FOLLOWERS, ...following }),
    without: ['trust-levels'],
  })
  await app.ready()
  await app.eep.start()
  return app
}

const signUp = async (app: FastifyInstance, username: string) => {
  const payload = { email: `${username}@example.com`, username, password: 'Correct horse 7 battery' }
  const { token, user } = (await ask(app, { method: 'POST', url: '/auth/register', payload, status: 201 })).json()
  return { profileId: user.active_profile_id, headers: { authorization: `Bearer ${token}` } }
}

/** A seller with an open page and two that are sold. */
async function openShop(app: FastifyInstance) {
  const { profileId, headers } = await signUp(app, 'ada')
  const make = async (url: string, fields: object) => {
    const payload = { profile_id: profileId, ...fields }
    return (await ask(app, { method: 'POST', url, headers, payload, status: 201 })).json()
  }
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
  await ask(app, { method: 'PUT', url, headers, payload: { default_tier: 'public', tiers } })
}

/** The files that a page passes: open, paid before, and paid in the request. */
async function walkPages(): Promise<readonly Walk[]> {
  const app = await startInstance({})
  await openShop(app)
  /** Returns a request with a payment for what it asks for. */
  const withPayment = async (url: string): Promise<Asked> => {
    const unpaid = await ask(app, { url, status: 402 })
    return { url, headers: cashWallets.answer(String(unpaid.headers['payment-required']), { wallet: 'wallet:ada' }) }
  }
  const filesOf = async (request: Asked) => {
    // Offers are cached until their second ends; without this, the payment might skip the decision.
    await sleep(1_000)
    return recorder.filesOf(() => recorder.ask(app, request))
  }
  const open = { url: '/u/ada/content/welcome' }
  const payer = { 'x-eep-payer-wallet': 'wallet:ada', 'x-eep-payer-network': 'cash:test' }
  const entitled = { url: '/u/ada/content/notes/looms', headers: payer }
  await ask(app, await withPayment(entitled.url))
  const paid = await withPayment('/u/ada/content/notes/engines')
  await ask(app, open)
  await ask(app, entitled)
  const walks = [
    { name: 'open page, from the response cache', files: await filesOf(open) },
    // No response to another URL is cached.
    { name: 'open page', files: await filesOf({ url: `${open.url}?again` }) },
    { name: 'gated page, entitled reader', files: await filesOf(entitled) },
    { name: 'payment inside the request', files: await filesOf(paid) },
  ]
  await app.close()
  return walks
}

/** The files from following a profile to the event in a stream of another instance. */
async function walkFollow(): Promise<Walk> {
  const [one, other] = [await startInstance({ signals: {} }), await startInstance({ signals: {} })]
  const { headers } = await signUp(one, 'bert')
  for (const username of ['carla', 'dora']) await signUp(one, username)
  const base = await other.listen({ port: 0, host: '127.0.0.1' })
  const stream = get(`${base}/stream/signals?types=connection.followed`)
  const [frames] = await once(stream, 'response', { signal: AbortSignal.timeout(LIMIT_MS) })
  frames.setEncoding('utf8')
  let received = ''
  frames.on('data', (text: string) => {
    received += text
  })
  const follow = async (send: (request: Asked) => Promise<unknown>, username: string) => {
    received = ''
    await send({ method: 'POST', url: `/connections/u/${username}`, headers, status: 201 })
    const signal = AbortSignal.timeout(LIMIT_MS)
    while (!received.includes('connection.followed')) await once(frames, 'data', { signal })
  }
  await follow((request) => ask(one, request), 'carla')
  await sleep(DELETED_MS)
  const files = await recorder.filesOf(() => follow((request) => recorder.ask(one, request), 'dora'))
  stream.destroy()
  await Promise.all([one.close(), other.close()])
  return { name: 'follow a profile, to a stream of another instance', files }
}

/** The files from an upload over its text to the hit of a search. */
async function walkUpload(): Promise<Walk> {
  const app = await startInstance({
    files: { blobStore: directoryBlobs({ directory }) },
    textExtraction: { converter: documentConverter() },
    search: { index },
  })
  const { headers } = await signUp(app, 'emma')
  const upload = async (send: (request: Asked) => Promise<{ json(): unknown }>, word: string) => {
    const { documents } = await index.stats()
    const form = new FormData()
    form.set('username', 'emma')
    form.set('file', new File([`All about the ${word}.`], `${word}.txt`))
    const encoded = new Response(form)
    const stored = await send({
      method: 'POST',
      url: '/files',
      headers: { ...headers, 'content-type': String(encoded.headers.get('content-type')) },
      payload: Buffer.from(await encoded.arrayBuffer()),
    })
    const { id } = stored.json() as { readonly id: number }
    await send({ url: `/files/${id}/markdown` })
    for (const until = Date.now() + LIMIT_MS; (await index.stats()).documents === documents; await sleep(20)) {
      if (Date.now() > until) throw new Error('The file was not indexed')
    }
    const found = await send({ url: `/search?q=${word}`, headers: { accept: 'application/json' } })
    const { pagination } = found.json() as { readonly pagination: { readonly total: number } }
    if (pagination.total !== 1) throw new Error(`The search for ${word} found ${pagination.total} files`)
  }
  await upload((request) => ask(app, request), 'quillwort')
  await sleep(DELETED_MS)
  const passed = await recorder.filesOf(() => upload((request) => recorder.ask(app, request), 'bulrush'))
  await app.close()
  return { name: 'upload, its text, and the hit of a search', files: passed }
}

const COUNTED = /^(modules\/[^/]+\/[^/]+|http)\//

/** A row of the table for each walk, its files by their folders. */
function tableOf(walks: readonly Walk[]): string {
  const foldersOf = (files: readonly string[]) =>
    [...Map.groupBy(files, (file) => COUNTED.exec(file)?.[0] ?? '')]
      .map(([folder, inside]) => {
        const names = inside.map((file) => file.slice(folder.length).replace(/\.ts$/, ''))
        return `\`${folder.replace(/^modules\//, '').replace(/\/$/, '')}\`: ${names.join(', ')}`
      })
      .join('; ')
  const rows = [
    ['walk', 'files', 'which'],
    ...walks.map(({ name, files }) => [name, String(files.length), foldersOf(files)]),
  ]
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[], filler = ' ') =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width, filler)).join(' | ')} |`
  const [head = [], ...body] = rows
  return [line(head), line([], '-'), ...body.map((row) => line(row))].join('\n')
}

const walks: readonly Walk[] = [...(await walkPages()), await walkFollow(), await walkUpload()]
await storage.close()
await rm(directory, { recursive: true, force: true })

const isAll = process.argv.includes('--all')
const counted = walks.map((walk) => ({ ...walk, files: walk.files.filter((file) => COUNTED.test(file)) }))
for (const [at, { name, files }] of counted.entries()) {
  console.log(`\n${name}: ${files.length} files`)
  for (const file of isAll ? (walks[at]?.files ?? []) : files) console.log(`  ${file}`)
}

if (process.argv.includes('--write')) {
  const page = await readFile(PAGE, 'utf8')
  if (!TABLE.test(page)) throw new Error('docs/architecture.md has no place for the table of walks')
  await writeFile(PAGE, page.replace(TABLE, `$1\n${tableOf(counted)}\n\n$2`))
}
process.exit()
