import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eep } from '@eep/core'
import { everything } from '@eep/core/everything'
import { directoryBlobs } from '@eep/core/files'
import { documentConverter } from '@eep/core/files/text'
import { receiptPdf } from '@eep/core/pdf'
import { cashRail, echoTranscriber } from '@eep/core/testing'
import { Validator } from '@seriousme/openapi-schema-validator'
import Fastify from 'fastify'
import openapiTS, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStorage, PUBLIC_URL, SECRET } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { PATIENT } from '../../support/patient-search.ts'

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly security: readonly Record<string, unknown>[]
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly description?: string
    readonly schema: { readonly enum?: readonly string[]; readonly type?: string }
  }[]
  readonly 'x-alias-of'?: string
  readonly responses: Readonly<Record<string, Answer>>
}

interface Answer {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>
}

interface Description {
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>
    readonly responses: Readonly<Record<string, Answer>>
  }
  readonly openapi: string
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

let database: Awaited<ReturnType<typeof openStorage>>
beforeAll(async () => {
  database = await openStorage()
})
afterAll(() => database.close())

/** A server, the routes that Fastify registered on it, and those in its OpenAPI document. */
async function describeServer(prefix: string) {
  const app = Fastify()
  const registered = new Set<string>()
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) {
      if (each !== 'HEAD' && each !== 'OPTIONS') registered.add(`${each} ${url.slice(prefix.length) || '/'}`)
    }
  })
  const blobStore = directoryBlobs({ directory: join(tmpdir(), 'eep-never-made') })
  await app.register(eep, {
    publicUrl: PUBLIC_URL,
    secret: SECRET,
    storage: database.storage,
    payments: { rails: [cashRail()], receiptPdf: receiptPdf() },
    modules: everything({
      search: { index: database.storage.search(PATIENT) },
      files: { blobStore },
      media: { transcriber: echoTranscriber() },
      textExtraction: { converter: documentConverter() },
    }),
    ...(prefix && { prefix }),
  })
  const response = await client(app).get(`${prefix}/docs/openapi.json`)
  await app.close()
  return { registered, description: response.json<Description>() }
}

/** The path that Fastify has, without the pattern of its suffix: `/a/:b/*`. */
const withoutPattern = (path: string) => path.replace(/\(\^.*\$\)$/, '')

/** Fastify's spelling of a path: `/a/:b/*`. */
const fastifyPath = (path: string) => path.replace(/\/\{path\}$/, '/*').replaceAll(/\{(\w+)\}/g, ':$1')

const PREFIXES = ['u', 'o', 'l', 'a', 'p', 'k', 'agent', 'e', 'x']
const TYPES = ['person', 'organization', 'place', 'asset', 'product', 'knowledge', 'agent', 'event', 'custom']

/** The formats that JSON Schema and OpenAPI register. */
const FORMATS = new Set([
  'binary',
  'date',
  'date-time',
  'email',
  'uri',
  'uri-reference',
  'uuid',
  'json-string',
  'base64url',
])

/** The verbs that summaries begin with. */
const VERBS =
  /^(Accept|Allow|Block|Cancel|Change|Check|Complete|Confirm|Counter|Create|Decline|Delete|Deliver|Disable|Disconnect|Download|Email|End|Enter|Exchange|Expire|Explain|Export|Extract|Follow|Get|Grant|Invite|Like|Link|List|Mark|Offer|Open|Pause|Pay|Preview|Publish|Query|Receive|Recover|Redirect|Refund|Register|Reject|Remove|Rename|Renew|Reorder|Replace|Report|Request|Resend|Resolve|Restore|Resume|Return|Revoke|Rotate|Scan|Search|Send|Set|Settle|Sign|Start|Stream|Submit|Subscribe|Toggle|Unblock|Unfollow|Unlink|Unsubscribe|Update|Upload|Use|Verify|Withdraw) /

/** The routes that serve an operation: one for each value of a parameter that is a part of static addresses. */
const routesOf = (route: string) => {
  if (route.includes(' /{prefix}/')) return PREFIXES.map((prefix) => route.replace('{prefix}', prefix))
  return route.includes('{type}') ? TYPES.map((type) => route.replace('{type}', type)) : [route]
}

const operationsOf = ({ paths }: Description) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

/** Routes of addresses that clients compare with the public URL: below another prefix they name the right address. */
const MISPLACED = /^(GET|POST) \/(mcp|device|oauth\/\w+)$/

describe.each(['', '/api'])('the description of the interface at "%s"', (prefix) => {
  let description: Description
  let registered: Set<string>
  beforeAll(async () => {
    const server = await describeServer(prefix)
    description = server.description
    registered = server.registered
  })

  it('is valid OpenAPI 3.1', async () => {
    expect(description.openapi).toMatch(/^3\.1\./)
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(description)))
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
  })

  it('lists every registered route, and no others', () => {
    const described = operationsOf(description).flatMap(({ method, path }) =>
      routesOf(`${method} ${path}`).map(fastifyPath),
    )
    // `/a/` leads to `/a`, where Fastify registers both.
    const expected = [...registered]
      .filter((route) => !route.endsWith('/') || route.endsWith(' /'))
      .filter((route) => prefix === '' || !MISPLACED.test(route))
      .map(withoutPattern)
    expect(described.sort()).toEqual(expected.sort())
  })

  it('gives each operation a unique, hand-written operation id', () => {
    const operations = operationsOf(description)
    const names = operations.map(({ operation }) => operation.operationId)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
    expect(names.filter((name) => !/^[a-z][A-Za-z0-9]+$/.test(name))).toEqual([])
    const derived = ({ method, path }: { readonly method: string; readonly path: string }) =>
      `${method}${path}`.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()
    const isDerived = (one: (typeof operations)[number]) =>
      one.path.split('/').length > 2 && one.operation.operationId.toLowerCase() === derived(one)
    expect(operations.filter(isDerived).map(({ operation }) => operation.operationId)).toEqual([])
    expect(names).toEqual(
      expect.arrayContaining(['getProfile', 'getPage', 'createPage', 'payForResource', 'mppSettle']),
    )
  })

  it('summarizes each operation in the imperative mood', () => {
    const summaries = operationsOf(description).map(({ operation }) => operation.summary)
    expect(summaries.filter((summary) => !VERBS.test(summary) || summary.endsWith('.'))).toEqual([])
  })

  it('describes each operation once', () => {
    const operations = operationsOf(description).filter(({ operation }) => operation['x-alias-of'] === undefined)
    const shapes = operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`)
    expect(shapes.filter((shape, at) => shapes.indexOf(shape) !== at)).toEqual([])
    // What two addresses say alike, but for the name, is one operation.
    const contents = operations.map(({ method, operation: { operationId: _, ...rest } }) =>
      JSON.stringify([method, rest]),
    )
    const twice = operations.filter((_, at) => contents.indexOf(contents[at] ?? '') !== at)
    expect(twice.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })

  it('describes routes below the nine prefixes with the prefix as a parameter', () => {
    const paths = Object.keys(description.paths)
    expect(paths.filter((path) => path.startsWith('/{prefix}/{username}')).sort()).toEqual([
      '/{prefix}/{username}',
      '/{prefix}/{username}/agent-card.json',
      '/{prefix}/{username}/badge.svg',
      '/{prefix}/{username}/card.png',
      '/{prefix}/{username}/changelog',
      '/{prefix}/{username}/changelog.{suffix}',
      '/{prefix}/{username}/content',
      '/{prefix}/{username}/content.{suffix}',
      '/{prefix}/{username}/content/{path}',
      '/{prefix}/{username}/did.json',
      '/{prefix}/{username}/freshness',
      '/{prefix}/{username}/freshness.{suffix}',
      '/{prefix}/{username}/openapi.json',
    ])
    for (const { operation } of operationsOf(description).filter(({ path }) => path.startsWith('/{prefix}/'))) {
      const prefix = operation.parameters.find(({ name }) => name === 'prefix')
      expect(prefix).toMatchObject({ in: 'path', required: true, schema: { enum: PREFIXES } })
    }
  })

  it('lists the listener that serves the document as the server', () => {
    expect(description.servers).toEqual([{ url: `${PUBLIC_URL}${prefix}` }])
    expect(description.paths).toHaveProperty(['/docs/openapi.json'])
  })

  it('gives each operation a summary and a success response', () => {
    const operations = operationsOf(description)
    for (const { method, path, operation } of operations) {
      expect(operation.summary, `${method} ${path}`).toMatch(/^[A-Z].+[^.]$/)
      const statuses = Object.keys(operation.responses)
      expect(
        // 101 is the answer to an upgrade.
        statuses.some((status) => /^(101|[23]\d\d)$/.test(status)),
        `${method} ${path}`,
      ).toBe(true)
      expect(statuses, `${method} ${path}`).toContain('429')
    }
  })

  it('declares each path parameter', () => {
    for (const { method, path, operation } of operationsOf(description)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()
      const declared = operation.parameters.filter((parameter) => parameter.in === 'path')
      expect(declared.map(({ name }) => name).sort(), `${method} ${path}`).toEqual(inPath)
      expect(declared.every(({ required }) => required)).toBe(true)
    }
  })

  it('requires the words of a search, without which only the page answers', () => {
    const required = ['/search', '/search/suggest'].map((path) =>
      description.paths[path]?.get?.parameters.filter((one) => one.required).map(({ name }) => name),
    )
    expect(required).toEqual([['q'], ['q']])
  })

  it('lists 308 for routes below a profile name, which may be a former name', () => {
    const below = operationsOf(description).filter(({ path }) => /^\/(profiles\/)?\{prefix\}\/\{username\}/.test(path))
    expect(below.length).toBeGreaterThan(10)
    expect(below.filter(({ operation }) => !operation.responses['308']).map(({ path }) => path)).toEqual([])
  })

  it('describes files as binary of any type, with 412 and 416 for conditional and range requests', () => {
    const read = ['/files/{id}', '/files/{fileId}/content', '/media/{fileId}'].map((path) =>
      operationsOf(description).find((route) => route.path === path && route.method === 'GET'),
    )
    for (const { path, operation } of read.filter((route) => route !== undefined)) {
      expect(operation.responses, path).toMatchObject({
        200: { content: { '*/*': { schema: { type: 'string', format: 'binary' } } } },
        412: expect.anything(),
        416: expect.anything(),
      })
    }
    expect(read).not.toContain(undefined)
  })

  it('lists 401 for each operation that requires authentication', () => {
    for (const { method, path, operation } of operationsOf(description)) {
      if (operation.security.length > 0) expect(Object.keys(operation.responses), `${method} ${path}`).toContain('401')
    }
  })
})

describe('the components of the description', () => {
  let description: Description
  beforeAll(async () => {
    description = (await describeServer('')).description
  })
  const answerOf = (answer: Answer | undefined) =>
    answer?.$ref === undefined ? answer : description.components.responses[answer.$ref.split('/').at(-1) ?? '']

  it('names the schema of each JSON response', () => {
    const answers = operationsOf(description).flatMap(({ operation: { operationId, responses } }) =>
      Object.entries(responses).flatMap(([status, answer]) =>
        Object.entries(answerOf(answer)?.content ?? {}).map(([type, { schema }]) => ({
          name: `${operationId} ${status} ${type}`,
          isJson: type.includes('json'),
          schema,
        })),
      ),
    )
    const nameless = answers.filter(({ isJson, schema }) => isJson && schema.$ref === undefined)
    // A part of an export in JSON is not JSON; the 403 is a result or an error, and the 400 one of JSON-RPC or of the service.
    expect(nameless.map(({ name }) => name)).toEqual([
      'verifyDelegation 403 application/json',
      'sendMcpMessage 400 application/json',
      'sendMcpMessageOfAccount 400 application/json',
      'downloadExport 206 application/json',
    ])
    const { schemas } = description.components
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(['Profile', 'Page', 'Receipt', 'Entitlement', 'GateConfig', 'ReceiptList', 'Error']),
    )
  })

  it('has names that do not depend on the content: words and statuses, without hashes', () => {
    const { schemas, responses } = description.components
    expect(Object.keys(schemas).filter((name) => !/^[A-Z][A-Za-z]+$/.test(name))).toEqual([])
    const named = /^(PageError|Error|Problem)[1-5]\d\d([A-Z][a-z0-9]*)*$/
    expect(Object.keys(responses).filter((name) => !named.test(name))).toEqual([])
  })

  it('lists only formats that are registered for JSON Schema and OpenAPI', () => {
    const formats = [...JSON.stringify(description).matchAll(/"format":"([^"]*)"/g)].map(([, format]) => format)
    expect([...new Set(formats)].filter((format) => !FORMATS.has(format ?? ''))).toEqual([])
  })

  it('compiles as types of openapi-typescript, under the strict settings and without skipLibCheck', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'eep-types-'))
    const types = astToString(await openapiTS(JSON.parse(JSON.stringify(description))))
    const use = `import type { components, paths } from './types.ts'
export const titleOf = ({ title }: components['schemas']['Page']): string => title
export const amountOf = ({ amount }: components['schemas']['Receipt']) => amount
export type Created = paths['/manage/pages']['post']['responses'][201]['content']['application/json']
export const isPage = (page: Created): components['schemas']['Page'] => page
`
    await writeFile(join(directory, 'types.ts'), types)
    await writeFile(join(directory, 'use.ts'), use)
    const flags = ['--strict', '--skipLibCheck', 'false', '--noEmit', '--allowImportingTsExtensions']
    const tsc = join(import.meta.dirname, '../../../node_modules/typescript-native/bin/tsc')
    const run = promisify(execFile)(process.execPath, [tsc, ...flags, '--module', 'nodenext', 'use.ts'], {
      cwd: directory,
    })
    const output = await run.then(
      ({ stdout }) => stdout,
      ({ stdout }: { readonly stdout: string }) => stdout,
    )
    expect(output).toBe('')
    await rm(directory, { recursive: true })
  })
})

it('describes the same paths on every listener', async () => {
  const [clean, behind] = await Promise.all([describeServer(''), describeServer('/api')])
  // Clients compare the addresses of the protocol with the issuer, so they are at the public URL alone.
  const paths = Object.entries(clean.description.paths).filter(
    ([path]) => !/^\/(mcp(\/account)?|oauth\/.*|device)$/.test(path),
  )
  expect(behind.description.paths).toEqual(Object.fromEntries(paths))
})
