import { brotliDecompressSync, unzipSync } from 'node:zlib'
import { errorDefinitions, serverOptions } from '@eep/core'
import type { OAuthProvider } from '@eep/core/ports'
import { cashRail, createCashWallets } from '@eep/core/testing'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAdministrator, PASSWORD, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { field, fileOf, upload } from '../support/files.ts'
import { createChance } from '../support/random.ts'
import {
  type Credentials,
  createRandomRequests,
  type DescribedRoute,
  describeRequest,
  type RandomRequest,
  routesOf,
} from '../support/random-requests.ts'
import { type KnownValues, remember } from '../support/random-values.ts'
import { SEED } from '../support/seed.ts'
import { openShop } from '../support/shop.ts'

/** CI sets 4. */
const THOUSANDS = Number(process.env.RANDOM_THOUSANDS ?? 0.25)
const REQUESTS = Math.min(THOUSANDS, 1) * 1_000

/** What a feature answers that this service does not have, or that is busy. */
const ALLOWED = new Set([
  'conversion_pending',
  'did_method_not_supported',
  'diff_busy',
  'eep_version_not_supported',
  'provider_not_configured',
  'purchase_recovery_not_configured',
  'receipt_pdf_busy',
  'semantic_search_disabled',
  'stripe_not_configured',
  'summary_disabled',
  'usdc_not_configured',
  'wallet_flow_disabled',
  'wallet_recovery_off',
  'x402_not_configured',
])
const ALLOWED_WITHOUT_FEATURES = new Set([
  ...ALLOWED,
  'archives_disabled',
  'conversion_disabled',
  'files_disabled',
  'media_ingest_disabled',
  'receipt_pdf_disabled',
  'search_disabled',
])

const JSON_TYPE = 'application/json; charset=utf-8'

/** RFC 6749, 7591, 8628 and 8707. */
const OAUTH_CODE =
  /^(invalid_(request|client|grant|scope|target|redirect_uri|client_metadata)|unauthorized_client|unsupported_(grant|response)_type|access_denied|server_error|temporarily_unavailable|authorization_pending|slow_down|expired_token)$/

const KNOWN_CODES = new Set(errorDefinitions().map(({ code }) => code))

/** The body without the coding that a random `Accept-Encoding` asked for. */
function decodedBody({ headers, body, rawPayload }: LightMyRequestResponse): string {
  const coding = headers['content-encoding']
  if (coding === undefined || coding === 'identity') return body
  return (coding === 'br' ? brotliDecompressSync(rawPayload) : unzipSync(rawPayload)).toString()
}

/** The code and the message of an error, whether it is JSON, a problem document or a page. */
function errorOf(response: LightMyRequestResponse): { readonly code?: unknown; readonly message?: unknown } {
  const { headers, statusCode } = response
  const body = decodedBody(response)
  if (String(headers['content-type']).startsWith('text/html')) {
    // Refusals of gates and links have separate pages, which do not show a code.
    const ownPage = statusCode < 500 ? 'forbidden' : undefined
    return {
      code: /<code>(\w+)<\/code>/.exec(body)?.[1] ?? ownPage,
      message: /<p class="lead">([^<]+)/.exec(body)?.[1] ?? /<h1[^>]*>(?:<bdi>)?([^<]+)/.exec(body)?.[1],
    }
  }
  const { jsonrpc, error, error_description: given, code, detail, type, title, valid, errors } = JSON.parse(body)
  // The verdict about a delegation is the closed form of EEP.
  if (valid === false) return { code: 'forbidden', message: errors[0] }
  // A message that is not one of JSON-RPC.
  if (jsonrpc === '2.0') return { code: Number.isInteger(error?.code) && 'forbidden', message: error?.message }
  // The codes of OAuth are those of its RFCs, and have no page here.
  if (typeof given === 'string') {
    const isKnown = error === code && OAUTH_CODE.test(code)
    return { code: isKnown && (statusCode === 505 ? 'eep_version_not_supported' : 'forbidden'), message: given }
  }
  // The problem documents of EEP have different names.
  if (type?.startsWith('https://eep.dev/problems/')) return { code: 'forbidden', message: title }
  return { code: code ?? error?.code, message: detail ?? error?.message }
}

/** Returns what is wrong with a response; undefined when nothing is. */
function faultOf({ method }: RandomRequest, response: LightMyRequestResponse, allowed: ReadonlySet<string>) {
  const { statusCode, headers } = response
  if (statusCode < 400) return undefined
  // An answer to HEAD has no body that would say more.
  if (method === 'HEAD') return [500, 502, 504].includes(statusCode) ? `a ${statusCode}` : undefined
  const type = String(headers['content-type'] ?? '')
  if (!/^(text\/html|application\/(problem\+)?json)/.test(type)) return `an error of type "${type}"`
  const { code, message } = errorOf(response)
  if (typeof code !== 'string' || !KNOWN_CODES.has(code)) return `an unknown code: ${code}`
  if (typeof message !== 'string' || message === '') return 'no message'
  return statusCode >= 500 && !allowed.has(code) ? `a ${statusCode}` : undefined
}

const github: OAuthProvider = {
  name: 'github',
  start: async ({ state }) => ({ url: `https://github.example/authorize?state=${state}`, memory: {} }),
  finish: () => Promise.reject(new Error('The code is unknown')),
}

type Service = Awaited<ReturnType<typeof createTestApp>>

async function readRoutes(app: TestApp): Promise<DescribedRoute[]> {
  return routesOf((await client(app).get('/docs/openapi.json')).json().paths)
}

/** Accounts with what a seller has, and the values that requests may name. */
async function prepare({ app, storage }: Service, name: string, hasFiles: boolean) {
  const shop = await openShop(app, `${name}-seller`)
  const buyer = await signUp(app, `${name}-buyer`)
  const admin = await signUp(app, `${name}-admin`)
  await makeAdministrator({ storage }, admin)
  const key = await newKey(app, shop.headers)
  const credentials: Credentials[] = [shop.headers, shop.headers, key.headers, buyer.headers, admin.headers]
  const known: KnownValues = new Map<string, unknown[]>([
    ['profile_id', [shop.profileId]],
    ['id', [shop.profileId]],
    ['prefix', ['u']],
    ['username', [`${name}-seller`, `${name}-buyer`]],
    ['did', [shop.did]],
    ['seller_did', [shop.did]],
    ['resource', ['content.notes.engines', 'content.welcome', 'profile.bio']],
    ['path', ['welcome', 'notes/engines', 'notes']],
    ['slug', ['welcome', 'engines', 'notes']],
    ['version', ['1', '2']],
    ['provider', ['github', 'none']],
    ['currency', ['usdc', 'usd']],
    ['password', [PASSWORD]],
    ['new_password', [PASSWORD]],
  ])
  const read = async (url: string) => remember(known, (await shop.get(url)).json())
  await read(`/manage/pages?profile_id=${shop.profileId}`)
  await read(`/manage/categories?profile_id=${shop.profileId}`)
  if (hasFiles) {
    const sent = await upload(app, [field('username', `${name}-seller`), fileOf('# Hello.\n\nText.')], shop.headers)
    known.set('fileId', [sent.json().id])
    known.set('file_id', [sent.json().id])
  }
  return { known, credentials }
}

/** Sends random requests one after the other and collects the faults of their answers. */
async function sendRandom(
  service: Service,
  { seed, count, features }: { readonly seed: number; readonly count: number; readonly features: boolean },
) {
  const { app } = service
  const { known, credentials } = await prepare(service, `random-${seed}`, features)
  const next = createRandomRequests(createChance(seed), await readRoutes(app), known, credentials)
  const allowed = features ? ALLOWED : ALLOWED_WITHOUT_FEATURES
  const faults: string[] = []
  const statuses = new Map<number, number>()
  for (let number = 1; number <= count; number++) {
    const request = next()
    const response = await app.inject({ ...request, method: request.method as 'GET' })
    statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1)
    const fault = faultOf(request, response, allowed)
    if (fault !== undefined) {
      const answer = `${response.statusCode} ${response.body.slice(0, 200)}`
      faults.push(`seed ${seed}, request ${number}: ${fault}\n  ${describeRequest(request)}\n  ${answer}`)
    }
    const isWhole = [200, 201, 202].includes(response.statusCode) && request.method !== 'HEAD'
    if (isWhole && response.headers['content-type'] === JSON_TYPE) remember(known, JSON.parse(decodedBody(response)))
  }
  return { faults, statuses }
}

/** How many answers are of a status from `from` to below `to`. */
const countOf = (statuses: ReadonlyMap<number, number>, from: number, to: number) =>
  [...statuses].reduce((sum, [status, count]) => sum + (status >= from && status < to ? count : 0), 0)

const isReady = async (app: TestApp) => (await client(app).get('/health/ready')).statusCode

describe('random requests', { timeout: 300_000 }, () => {
  describe('to a service with all features', () => {
    let test: Service
    beforeAll(async () => {
      const wallets = { chainIds: [1], verify: async () => false }
      const rails = [cashRail({ cashWallets: createCashWallets() })]
      test = await createTestApp(
        {
          withSearch: true,
          payments: { rails },
          auth: { walletVerifier: wallets },
          oauth: { providers: [github] },
          email: { mailer: { send: async () => {} } },
          memory: { summarizer: { summarize: async () => 'A summary' } },
        },
        serverOptions,
      )
    })
    afterAll(() => test.close())

    // New accounts after a thousand requests: some of these end sessions and delete what others name.
    it.each(Array.from({ length: Math.ceil(THOUSANDS) }, (_, part) => part))(
      `never get an unexpected 5xx: ${REQUESTS} requests, RANDOM_SEED=${SEED}, %i`,
      async (part) => {
        const { faults, statuses } = await sendRandom(test, { seed: SEED * 10 + part, count: REQUESTS, features: true })
        if (process.env.RANDOM_SEED) console.log([...statuses].sort())
        expect(faults.join('\n')).toBe('')
        // A generator that only makes what is refused at the door shows nothing.
        expect(countOf(statuses, 200, 400)).toBeGreaterThan(REQUESTS / 10)
        expect(await isReady(test.app)).toBe(200)
      },
    )
  })

  describe('to a service with as little as possible', () => {
    let test: Service
    beforeAll(async () => {
      test = await createTestApp(
        {
          files: { blobStore: undefined },
          media: { transcriber: undefined },
          textExtraction: { converter: undefined },
          payments: { receiptPdf: undefined },
        },
        serverOptions,
      )
    })
    afterAll(() => test.close())

    it(`never get an unexpected 5xx: RANDOM_SEED=${SEED}`, async () => {
      const { faults } = await sendRandom(test, { seed: SEED * 10 + 9, count: REQUESTS, features: false })
      expect(faults.join('\n')).toBe('')
      expect(await isReady(test.app)).toBe(200)
    })
  })
})
