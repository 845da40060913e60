import { postgresStorage } from '@eep/adapters-postgres'
import { createEep, type EepPluginOptions } from '@eep/core'
import { everything } from '@eep/core/everything'
import { directoryBlobs } from '@eep/core/files'
import { documentConverter } from '@eep/core/files/text'
import { receiptPdf } from '@eep/core/pdf'
import type { OAuthProvider, PaymentRail, Storage } from '@eep/core/ports'
import { sandbox, sandboxRail } from '@eep/core/sandbox'
import { cashRail, echoTranscriber } from '@eep/core/testing'
import { cardRail } from '@eep/payments-card'
import { sandboxWallet } from '@eep/payments-x402'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import Fastify from 'fastify'
import { Pool } from 'pg'

/** An answer of a route: what of it the OpenAPI document describes. */
export interface Answer {
  readonly operationId: string
  readonly status: number
  /** The media type without its parameters; undefined without a body. */
  readonly type: string | undefined
  /** The body, if it is JSON. */
  readonly json: string | undefined
}

interface Response {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, unknown>>
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly responses: Readonly<Record<string, Response>> }
}

interface Operation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, Response>>
}

const provider = (name: string): OAuthProvider => ({
  name,
  start: () => Promise.reject(new Error('a described service has no sign-in')),
  finish: () => Promise.reject(new Error('a described service has no sign-in')),
})

/** What services of tests have beside every feature, and describe: users of a host, another rail. */
interface Variant {
  readonly auth?: EepPluginOptions['auth']
  readonly rail?: (storage: Storage) => PaymentRail
}

/** A card rail with a processor that no request reaches. */
const cards = () =>
  cardRail({
    secretKey: 'sk_test_described',
    profileId: 'profile_test_described',
    webhookSecret: 'whsec_described',
    secret: 'x'.repeat(32),
  })

/** The OpenAPI document of a service with every feature, which needs no database. */
async function describe({ auth, rail = () => cashRail() }: Variant): Promise<Description> {
  const storage = postgresStorage({ pool: new Pool() })
  const app = Fastify()
  const { http } = createEep({
    publicUrl: 'https://profiles.example',
    secret: 'x'.repeat(32),
    storage,
    auth: {
      walletVerifier: { chainIds: [1], verify: async () => false },
      ...auth,
    },
    modules: [
      ...everything({
        oauth: { providers: [provider('github')] },
        search: { index: storage.search() },
        memory: { summarizer: { summarize: async () => 'A summary' } },
        files: { blobStore: directoryBlobs({ directory: 'nowhere' }) },
        media: { transcriber: echoTranscriber() },
        textExtraction: { converter: documentConverter() },
      }),
      sandbox({ wallet: sandboxWallet() }),
    ],
    // Beside the module of the sandbox, rails are for play money.
    payments: { rails: [{ ...rail(storage), moneyKind: 'sandbox' }], receiptPdf: receiptPdf() },
  })
  await app.register(http)
  const answer = await app.inject('/docs/openapi.json')
  await app.close()
  return answer.json()
}

const pointer = (...names: readonly string[]) =>
  names.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')

const errorOf = ({ errors }: ValidateFunction): string => {
  const [first] = errors ?? []
  return `${first?.instancePath || 'the body'} ${first?.message}`
}

async function load(variant: Variant) {
  const description = await describe(variant)
  const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false })
  formats.default(ajv)
  ajv.addSchema(description, 'openapi')
  const operations = new Map(
    Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [operation.operationId, { operation, path, method }]),
    ),
  )

  /** Compiled when it is first needed: the document has more than a thousand schemas, and a test file needs few of them. */
  function validatorOf(place: string): ValidateFunction {
    const validate = ajv.getSchema(`openapi#${place}`)
    if (!validate) throw new Error(`No schema at ${place}`)
    return validate
  }

  /** Why the document does not describe an answer; undefined when it does. */
  function problemOf({ operationId, status, type, json }: Answer): string | undefined {
    const found = operations.get(operationId)
    // A module of the host in a test is not a part of the service.
    if (!found) return undefined
    const { operation, path, method } = found
    const declared = operation.responses[status]
    if (!declared) return 'has no such status'
    const shared = declared.$ref?.split('/').at(-1)
    const { content = {} } = shared === undefined ? declared : (description.components.responses[shared] ?? {})
    if (type === undefined) return undefined
    const described = [type, '*/*'].find((one) => Object.hasOwn(content, one))
    if (described === undefined) return 'has no such media type for this status'
    if (json === undefined || described !== type) return undefined
    const place =
      shared === undefined
        ? pointer('paths', path, method, 'responses', `${status}`)
        : pointer('components', 'responses', shared)
    const validate = validatorOf(place + pointer('content', type, 'schema'))
    return validate(JSON.parse(json)) ? undefined : `has another schema: ${errorOf(validate)}`
  }
  return { problemOf }
}

const VARIANTS: readonly (() => Variant)[] = [
  () => ({}),
  () => ({ auth: { hostAuth: { authenticate: async () => undefined } } }),
  () => ({ rail: cards }),
  () => ({ rail: (storage) => sandboxRail({ storage, secret: 'x'.repeat(32) }) }),
]
const loaded: ReturnType<typeof load>[] = []

/** Returns a sentence about an answer that the OpenAPI document of no such service describes; undefined when one does. */
export async function problemOf(answer: Answer): Promise<string | undefined> {
  let problem: string | undefined
  for (const [index, variant] of VARIANTS.entries()) {
    // Read once for all test files of a process, those after the first only when they are needed.
    loaded[index] ??= load(variant())
    problem = (await loaded[index]).problemOf(answer)
    if (problem === undefined) return undefined
  }
  const { operationId, status, type = 'without a body' } = answer
  return `${operationId} sent ${status} ${type}, and the OpenAPI document ${problem}`
}
