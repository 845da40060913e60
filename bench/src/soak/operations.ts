import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeHeader, type LocalChain, signPayment, type Wallet } from '@eep/payments-x402/testing'
import { busyness } from './busyness.ts'
import type { Checks } from './checks.ts'
import type { Journal, LivingPage, SentPayment } from './journal.ts'
import { type Owner, revisionOf, SOLD_WORD, textOf } from './owners.ts'
import { type Answer, type Headers, jsonOf } from './requests.ts'
import type { Traffic } from './traffic.ts'

/** Public answers may be cached for a minute, also by an instance that cannot read the log. */
const MAX_AGE_MS = 65_000
const REMEMBERED_MS = 180_000
const MAX_FILES = 20
const MAX_BUYERS = 500
/** A write is looked for this long on any instance. */
const VISIBLE_WITHIN_MS = 30_000

interface Buyer {
  readonly owner: Owner
  readonly headers: Headers
}

export interface OperationDeps {
  readonly traffic: Traffic
  readonly journal: Journal
  readonly checks: Checks
  readonly owners: readonly Owner[]
  readonly chain: LocalChain
}

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** The operations of the mixed load. Each is complete when its outcome is known. */
export function createOperations({ traffic, journal, checks, owners, chain }: OperationDeps) {
  const buyers: Buyer[] = []
  const wallets: Wallet[] = []
  let last = 0
  /** Reads that follow writes. */
  const followUps = new Set<Promise<void>>()

  const one = <Item>(items: readonly Item[]): Item => {
    const found = items[Math.floor(Math.random() * items.length)]
    if (found === undefined) throw new RangeError('There is nothing to choose from')
    return found
  }
  const expect = (kind: string, answer: Answer | undefined, status: number): answer is Answer => {
    if (answer && answer.status !== status) {
      checks.violate('answers', `${kind}: ${answer.status} ${answer.body.toString().slice(0, 300)}`)
    }
    return answer?.status === status
  }
  /** A write, with its marker: a text that occurs in it alone. Until its outcome is known it is open. */
  const write = async (kind: string, marker: string, wanted: Parameters<Traffic['write']>[1]) => {
    journal.open.add(marker)
    const answer = await traffic.write(kind, wanted, () => journal.uncertain.add(marker))
    if (answer) journal.open.delete(marker)
    return answer
  }

  /** Reads what was written a moment later, from any instance. */
  function follow(what: string, path: string, headers: Headers, isThere: (answer: Answer) => boolean): void {
    const run = (async () => {
      await sleep(500 + Math.random() * 4_000)
      for (const end = Date.now() + VISIBLE_WITHIN_MS * busyness(); ; await sleep(500)) {
        const answer = await traffic.read('read after a write', { path, headers })
        if (answer && isThere(answer)) return
        if (answer && Date.now() > end) {
          checks.violate('writes', `${what} is not readable at ${path}: ${answer.status}`)
          return
        }
      }
    })().finally(() => followUps.delete(run))
    followUps.add(run)
  }

  async function readProfile() {
    const accept = one(['application/json', 'text/markdown', 'text/html'])
    expect('profile', await traffic.read('profile', { path: `/u/${one(owners).name}`, headers: { accept } }), 200)
  }

  async function readPage() {
    const page = one(one(owners).living)
    const begun = Date.now()
    const answer = await traffic.read('page', { path: page.path, headers: { accept: 'text/markdown' } })
    if (!expect('page', answer, 200)) return
    const seen = revisionOf(answer.body.toString())
    const must = page.acknowledged.findLast(({ at }) => at < begun - MAX_AGE_MS)?.revision ?? 0
    if (seen === undefined || seen < must) checks.violate('fresh', `${page.path}: revision ${seen}, not ${must}`)
  }

  async function readContents() {
    const path = `/u/${one(owners).name}/content?limit=20`
    expect('contents', await traffic.read('contents', { path, headers: { accept: 'application/json' } }), 200)
  }

  async function readFeed() {
    const path = one(['/feed?limit=20', `/feed/u/${one(owners).name}?limit=20`])
    expect('feed', await traffic.read('feed', { path, headers: { accept: 'application/json' } }), 200)
  }

  async function readOffer() {
    const answer = await traffic.read('402', { path: one(owners).paid })
    if (!expect('402', answer, 402)) return
    if (answer.body.includes(SOLD_WORD)) checks.violate('sold', 'a 402 has the sold content')
  }

  async function readEntitled() {
    if (buyers.length === 0) return readOffer()
    const { owner, headers } = one(buyers)
    const answer = await traffic.read('entitled read', { path: owner.paid, headers })
    if (answer?.status === 402) checks.violate('entitled', `${owner.paid} returns 402 to ${JSON.stringify(headers)}`)
    else if (expect('entitled read', answer, 200) && !answer.body.includes(SOLD_WORD)) {
      checks.violate('entitled', `${owner.paid} returns 200 without its content`)
    }
  }

  async function readFile() {
    const id = one(owners).files.at(-1)
    const file = id === undefined ? undefined : journal.files.get(id)
    if (!file) return readProfile()
    const answer = await traffic.read('download', { path: `/files/${file.id}` })
    // It may have been deleted during the request.
    if (answer?.status === 404 && !journal.files.has(file.id)) return
    if (expect('download', answer, 200) && digestOf(answer.body) !== file.digest) {
      checks.violate('blobs', `the file ${file.id} has other bytes`)
    }
  }

  async function addPage() {
    const owner = one(owners)
    const title = `Soak page ${++last}`
    const answer = await write('new page', title, {
      method: 'POST',
      path: '/manage/pages',
      headers: { ...owner.headers, 'idempotency-key': randomUUID() },
      body: { profile_id: owner.profileId, title, body: textOf(last), status: 'published' },
    })
    if (!answer || !expect('new page', answer, 201)) return
    const { id, slug } = jsonOf<{ readonly id: number; readonly slug: string }>(answer)
    const path = `/u/${owner.name}/content/${slug}`
    journal.pages.push({ title, id, path })
    journal.acknowledge('page', { id, title })
    follow(title, path, { accept: 'text/markdown' }, ({ body }) => body.includes(title))
  }

  async function changePage() {
    const owner = one(owners)
    const page: LivingPage | undefined = owner.living.find(({ isBusy }) => !isBusy)
    if (!page) return readPage()
    page.isBusy = true
    try {
      const revision = page.revision + 1
      const answer = await write('changed page', `${page.path}#${revision}`, {
        method: 'PUT',
        path: `/manage/pages/${page.id}`,
        headers: owner.headers,
        body: { body: textOf(revision) },
      })
      if (!answer || !expect('changed page', answer, 200)) return
      page.revision = revision
      const now = Date.now()
      page.acknowledged = [...page.acknowledged.filter(({ at }) => at > now - REMEMBERED_MS), { revision, at: now }]
      journal.acknowledge('revision', { page: page.id, revision })
    } finally {
      page.isBusy = false
    }
  }

  async function addPost() {
    const owner = one(owners)
    const body = `Soak post ${++last} about #looms`
    const answer = await write('new post', body, {
      method: 'POST',
      path: '/feed',
      headers: { ...owner.headers, 'idempotency-key': randomUUID() },
      body: { body },
    })
    if (!answer || !expect('new post', answer, 201)) return
    const { id } = jsonOf<{ readonly id: number }>(answer)
    journal.posts.push({ id, body })
    journal.acknowledge('post', { id })
    follow(body, `/feed/posts/${id}`, { accept: 'application/json' }, (read) => read.body.includes(body))
  }

  async function addFile() {
    const owner = one(owners)
    const oldest = owner.files.length >= MAX_FILES ? owner.files.shift() : undefined
    if (oldest !== undefined) await deleteFile(owner, oldest)
    const content = Buffer.from(randomBytes(2_000 + Math.floor(Math.random() * 20_000)).toString('base64'))
    const filename = `soak-${++last}.txt`
    const boundary = 'a-boundary-of-the-soak'
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="username"\r\n\r\n${owner.name}\r\n--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: text/plain\r\n\r\n`
    const answer = await write('upload', filename, {
      method: 'POST',
      path: '/files',
      headers: { ...owner.headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    })
    if (!answer || !expect('upload', answer, 200)) return
    const { id } = jsonOf<{ readonly id: number }>(answer)
    journal.files.set(id, { id, digest: digestOf(content) })
    owner.files.push(id)
    journal.acknowledge('file', { id, filename })
  }

  async function deleteFile(owner: Owner, id: number) {
    const marker = `delete ${id}`
    const wanted = { method: 'DELETE', path: `/files/${id}`, headers: owner.headers } as const
    const file = journal.files.get(id)
    journal.files.delete(id)
    const answer = await write('deletion', marker, wanted)
    // An earlier attempt may have deleted it.
    const isGone = answer?.status === 404 && journal.uncertain.has(marker)
    if (isGone || expect('deletion', answer, 200)) {
      journal.deletedFiles.push(id)
      journal.acknowledge('deletion', { id })
    } else if (file && answer) journal.files.set(id, file)
  }

  async function buy() {
    const wallet = wallets.pop()
    if (!wallet) return readOffer()
    const owner = one(owners)
    const offer = await traffic.read('402', { path: owner.paid })
    if (!expect('402', offer, 402)) return
    const required = JSON.parse(Buffer.from(String(offer.headers['payment-required']), 'base64').toString())
    const accept = required.accepts.find(({ network }: { readonly network: string }) => network === chain.network)
    const payment: SentPayment = {
      wallet: wallet.address,
      network: chain.network,
      amount: BigInt(accept.amount),
      owner: owner.name,
      outcome: 'sent',
    }
    journal.payments.push(payment)
    const signature = encodeHeader(await signPayment(accept, wallet))
    const answer = await write('payment', wallet.address, {
      path: owner.paid,
      headers: { 'payment-signature': signature },
    })
    if (!answer) return
    const headers = { 'x-eep-payer-wallet': wallet.address, 'x-eep-payer-network': chain.network }
    if (answer.status === 402 && answer.body.includes('"already_settled":true')) {
      // The response was lost, and the signature has expired since: the payer reads what it bought as its payer.
      const bought = await traffic.read('entitled read', { path: owner.paid, headers })
      if (bought?.status === 200 && bought.body.includes(SOLD_WORD)) payment.outcome = 'served'
      else if (bought) checks.violate('entitled', `${wallet.address} was charged and gets ${bought.status}`)
      return
    }
    if (answer.status === 402) {
      payment.outcome = 'refused'
      const reason = Buffer.from(String(answer.headers['payment-response']), 'base64').toString()
      // A signature is valid for some minutes, and the service may have been unavailable for as long.
      if (!reason.includes('valid_before')) checks.violate('answers', `payment: ${reason} ${answer.body}`)
      return
    }
    if (!expect('payment', answer, 200)) return
    payment.outcome = 'served'
    if (!answer.body.includes(SOLD_WORD)) checks.violate('paid', `${wallet.address} paid and got no content`)
    journal.acknowledge('payment', { wallet: wallet.address })
    buyers.push({ owner, headers })
    if (buyers.length > MAX_BUYERS) buyers.shift()
  }

  return {
    /** The operations, each with its part of the whole. */
    mix: [
      [readProfile, 24],
      [readPage, 22],
      [readContents, 3],
      [readFeed, 5],
      [readOffer, 14],
      [readEntitled, 14],
      [readFile, 4],
      [addPage, 3],
      [changePage, 4],
      [addPost, 3],
      [addFile, 2],
      [buy, 2],
    ] as readonly (readonly [operation: () => Promise<void>, weight: number])[],

    /** Funds new wallets, one after the other: the minting account has one nonce at a time. Returns at the end of `signal`. */
    async mintWallets(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        // More than one payment, so that a second charge would succeed.
        if (wallets.length < 30) wallets.push(await chain.newPayer(50_000n))
        else await sleep(20)
      }
    },
    followUps: () => Promise.all(followUps),
  }
}

export type Operations = ReturnType<typeof createOperations>
