import { signUp } from '@eep/test/support/accounts'
import { client } from '@eep/test/support/client'
import { advice } from '@eep/test/support/deals'
import { awkward, fillDatabase } from './largest.ts'
import type { BodySchema, Components } from './largest-body.ts'
import { startMeasuredHost } from './measured-host.ts'

export const USERNAME = 'largest'
export const DID = `did:web:profiles.example:u:${USERNAME}`

export interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: { maximum?: number } }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: BodySchema }>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>
}

export const maximalProfile = {
  full_name: awkward(128),
  bio: awkward(5_000),
  skills: Array.from({ length: 50 }, (_, at) => awkward(60) + at),
  keywords: Array.from({ length: 50 }, (_, at) => awkward(60) + at),
  agent_instructions: awkward(10_000),
  agent_rules: awkward(10_000),
  custom_fields: Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, awkward(16)])),
}

export const maximalGate = {
  default_tier: 'open',
  tiers: {
    open: { requirements: [], access: ['profile.*', 'files.*'] },
    ...Object.fromEntries(
      Array.from({ length: 19 }, (_, at) => [
        `tier${at}`,
        {
          label: awkward(128),
          requirements: [{ type: 'payment', amount: 1 + at, currency: 'usdc', per: 'day' }],
          access: Array.from({ length: 100 }, (_unused, n) => `content.p${at}x${n}.*`),
        },
      ]),
    ),
  },
}

const maximalService = {
  ...advice(),
  description: awkward(4_096),
  tags: Array.from({ length: 20 }, (_, at) => awkward(60) + at),
}

/** A host with the largest content that a profile may have, and the names of that content. */
export async function openLargestService(connectionString: string, blobs: string) {
  const host = await startMeasuredHost({ DATABASE_URL: connectionString, BLOBS: blobs })
  const ada = await signUp(host.app, USERNAME)
  const profileId = ada.account.active_profile_id
  const must = async (method: 'PUT' | 'POST', url: string, payload: object) => {
    const { statusCode, body } = await ada.send(method, url, payload as Record<string, unknown>)
    if (statusCode >= 300) throw new Error(`${method} ${url}: ${statusCode} ${body.slice(0, 300)}`)
    return JSON.parse(body)
  }
  await must('PUT', `/profiles/u/${USERNAME}`, maximalProfile)
  await must('PUT', `/eep/gates/${DID}`, maximalGate)
  const newPage = (fields: object) =>
    must('POST', '/manage/pages', { profile_id: profileId, status: 'published', ...fields })
  const big = await newPage({ title: 'Big', body: 'x\n'.repeat(524_288) })
  await must('PUT', `/manage/pages/${big.id}`, { body: '\n'.repeat(1_000_000), status: 'archived' })
  await must('PUT', `/manage/pages/${big.id}`, { status: 'published' })
  await newPage({ title: 'Rendered', body: awkward(262_000) })
  await newPage({
    title: 'Table',
    body: `|${'a|'.repeat(500)}\n|${'-|'.repeat(500)}\n${`|${'x|'.repeat(500)}\n`.repeat(100)}`,
  })
  const service = await must('POST', `/eep/services/${DID}`, maximalService)
  for (let at = 0; at < 99; at++) await must('POST', `/eep/services/${DID}`, maximalService)
  const filled = await fillDatabase(connectionString, { profileId, accountId: ada.account.id, pageId: big.id })

  const names: Record<string, string | number> = {
    suffix: 'json',
    id: profileId,
    pageId: big.id,
    fileId: filled.recording,
    textFile: filled.textFile,
    did: DID,
    accountId: ada.account.id,
    tier: 'pro',
    username: USERNAME,
    prefix: 'u',
    slug: USERNAME,
    receiptId: 'rcpt_1',
    version: 2,
    part: 1,
    code: 'page_not_found',
    path: 'big',
    serviceId: service.service_id ?? service.id,
  }
  const { paths, components } = (await client(host.app).get('/docs/openapi.json')).json()
  const operations = Object.entries(paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    // Streams do not end.
    /^\/(?:stream|eep\/stream)\b/.test(path)
      ? []
      : Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  return { host, connectionString, headers: ada.headers, names, operations, schemas: components.schemas as Components }
}

export type LargestService = Awaited<ReturnType<typeof openLargestService>>
