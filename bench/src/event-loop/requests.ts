import { signUp } from '@eep/test/support/accounts'
import { price } from '@eep/test/support/deals'
import { field, fileOf, formOf } from '@eep/test/support/files'
import { createLargestBodies, crowdedGate } from './bodies.ts'
import { administer, awkward } from './largest.ts'
import { DID, type LargestService, maximalGate, maximalProfile, type Operation, USERNAME } from './service.ts'

/** A request that may take long. */
export interface Ask {
  readonly method?: string
  /** May depend on the attempt, so that no attempt is answered from a cache. */
  readonly url: string | ((attempt: number) => string)
  readonly accept?: string
  /** A function makes a new body for each attempt, for values that may be used once. */
  readonly payload?: unknown
  /** The media type of the body. Default: JSON. */
  readonly type?: string | undefined
  /** The headers of the caller, empty for an anonymous one. Default: the owner of the largest content. */
  readonly as?: Record<string, string>
}

/** The requests of one kind. */
export interface Family {
  readonly what: string
  /** Prepares what they need, and makes them. */
  readonly asks: () => Promise<readonly Ask[]>
  /** What the answers must be, or the requests measure nothing. */
  readonly expected?: { readonly status: number; readonly of: number } | 'valid'
}

/** The largest requests that the interface allows, by kind. */
export function largestRequests(service: LargestService): readonly Family[] {
  const { host, operations, connectionString, names } = service
  const largestBody = createLargestBodies(service)

  const fill = (path: string, attempt = 0): string =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      if (name === 'receiptId') return `rcpt_${attempt + 1}`
      if (name !== 'id') return String(names[name] ?? 'nothing')
      if (path.startsWith('/manage/pages')) return String(names.pageId)
      if (path.startsWith('/files')) return String(names.textFile)
      if (path.startsWith('/eep/services')) return String(names.serviceId)
      if (path.startsWith('/eep/commerce')) return String(names.negotiationId)
      if (path.startsWith('/admin/users')) return String(names.accountId)
      return String(names.id)
    })

  const QUERIES: Readonly<Record<string, () => string>> = {
    profile_id: () => String(names.id),
    did: () => DID,
    resource: () => `content.${'a.'.repeat(240)}b`,
    username: () => USERNAME,
    title: () => awkward(200),
    profile_type: () => 'person',
    category_id: () => 'top',
  }

  function maximalQuery({ parameters }: Operation, attempt: number): string {
    const query = new URLSearchParams()
    for (const { name, in: place, schema } of parameters) {
      if (place !== 'query') continue
      if (name === 'limit') query.set(name, String((schema.maximum ?? 100) - attempt))
      const value = QUERIES[name]?.()
      if (value !== undefined) query.set(name, value)
    }
    return query.size > 0 ? `?${query}` : ''
  }

  function reads(): readonly Ask[] {
    return operations
      .filter(({ method }) => method === 'GET')
      .flatMap(({ path, operation }): Ask[] => {
        const url = (attempt: number) => `${fill(path, attempt)}${maximalQuery(operation, attempt)}`
        const types = Object.keys(operation.responses['200']?.content ?? {})
        const others = types.length > 1 ? types.map((accept) => ({ url, accept })) : [{ url }]
        if (!path.endsWith('{path}')) return others
        const pages = ['rendered', 'table', 'category-1'].map(
          (slug) => (attempt: number) => url(attempt).replace('/big', `/${slug}`),
        )
        return [...others, ...pages.flatMap((page) => types.map((accept) => ({ url: page, accept })))]
      })
  }

  function longAccepts(): readonly Ask[] {
    const hostile = [`"${'\\"'.repeat(8_000)}\\`, '"a'.repeat(8_000), ','.repeat(16_000), ';q=1'.repeat(4_000)]
    return [`/u/${USERNAME}`, '/nothing', '/docs/openapi.json'].flatMap((url) =>
      hostile.map((accept): Ask => ({ url, accept })),
    )
  }

  function largeBodies(): readonly Ask[] {
    const page = `/manage/pages/${names.pageId}`
    const valid: Ask[] = [
      { method: 'PUT', url: page, payload: { body: 'y\n'.repeat(524_288) } },
      { method: 'PUT', url: page, payload: { body: '\u0001'.repeat(340_000) } },
      { method: 'PUT', url: `/profiles/u/${USERNAME}`, payload: maximalProfile },
      { method: 'PUT', url: `/eep/gates/${DID}`, payload: maximalGate },
      { method: 'POST', url: `${page}/versions/1/restore` },
      {
        method: 'POST',
        url: '/manage/reorder',
        payload: { kind: 'pages', profile_id: names.id, ids: Array.from({ length: 10_000 }, (_, at) => at + 1) },
      },
      {
        method: 'POST',
        url: '/eep/commerce/negotiations',
        payload: { seller_did: DID, service: awkward(256), pricing: price(9), reason: awkward(1_024) },
      },
    ]
    const members = JSON.stringify(Object.fromEntries(Array.from({ length: 80_000 }, (_, at) => [`k${at}`, 1])))
    const hostile = [`[${'0,'.repeat(520_000)}0]`, members, JSON.stringify('\u0001'.repeat(170_000))]
    const routes = operations.filter(({ operation }) => operation.requestBody?.content['application/json'])
    // Lists and texts are refused before the schema of a route matters, so a few routes get them.
    const invalid = routes
      .map(({ method, path }, at) => ({ method, url: fill(path), payload: hostile[at % hostile.length] }))
      .filter(({ payload }, at) => payload === members || at < 12)
    return [...valid, ...invalid]
  }

  async function writes(): Promise<readonly Ask[]> {
    await administer(connectionString, String(names.accountId))
    const buyer = await signUp(host.app, `${USERNAME}-buyer`)
    const deals = '/eep/commerce/negotiations'
    const opened = await buyer.post(deals, largestBody('POST', deals) ?? {})
    if (opened.statusCode !== 201) throw new Error(`no deal: ${opened.body.slice(0, 300)}`)
    names.negotiationId = opened.json().negotiation_id
    return operations.flatMap(({ method, path }): Ask[] =>
      largestBody(method, path) ? [{ method, url: fill(path), payload: () => largestBody(method, path) }] : [],
    )
  }

  function largeGate(): readonly Ask[] {
    const gate = `/eep/gates/${DID}`
    const page = `/u/${USERNAME}/content/rendered`
    return [
      { method: 'PUT', url: gate, payload: crowdedGate },
      ...['text/html', 'application/json', 'text/markdown'].flatMap((accept): Ask[] => [
        { url: page, accept, as: {} },
        { url: `/u/${USERNAME}/content?limit=100`, accept, as: {} },
      ]),
      { url: gate, as: {} },
      { url: '/llms.txt', as: {} },
      {
        method: 'POST',
        url: '/eep/payment/x402/payment-required',
        payload: { did: DID, resource: 'content.rendered' },
        as: {},
      },
    ]
  }

  async function uploads(): Promise<readonly Ask[]> {
    const { headers } = await signUp(host.app, `${USERNAME}-uploader`)
    const large = Buffer.alloc(5_000_000, 'A line of text.\n')
    return ['large.bin', 'large.txt', 'large.png', 'large.mp3'].map((name): Ask => {
      const { payload, headers: form } = formOf([field('username', `${USERNAME}-uploader`), fileOf(large, name)])
      return { method: 'POST', url: '/files', payload, type: form['content-type'], as: headers }
    })
  }

  return [
    { what: 'reads of the largest stored content', asks: async () => reads() },
    { what: 'requests with the longest Accept header', asks: async () => longAccepts() },
    { what: 'requests with the largest body', asks: async () => largeBodies() },
    { what: 'writes with the largest valid body', asks: writes, expected: 'valid' },
    { what: 'a gate of the largest legal size', asks: async () => largeGate() },
    { what: 'uploads of a large file', asks: uploads, expected: { status: 200, of: 2 } },
  ]
}
