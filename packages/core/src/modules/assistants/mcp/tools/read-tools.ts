import type { RegisteredRoute } from '../../../../http/openapi/registered-route.ts'
import { jsonSchema } from '../../../../kernel/json-schema.ts'
import type { McpObject } from '../../../../ports/mcp-toolkit.ts'
import { limitText, MAX_LIMIT } from './limit.ts'
import { didOfPath, isReadable, MAX_ADDRESS, type ResourceAddress, resourceAddress } from './resource-address.ts'
import { isObject, shortSchema } from './schema.ts'
import { soldOutput } from './sold-output.ts'
import { cutText, MAX_CHARS, partOf } from './text-result.ts'
import type { InnerAnswer, Tool, ToolCall, ToolResult } from './tool.ts'

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true }
const MARKDOWN = { accept: 'text/markdown, text/plain;q=0.9' }
const JSON_ONLY = { accept: 'application/json' }

const addressMember = (description: string) => ({ type: 'string', maxLength: MAX_ADDRESS, description })
const URL_MEMBER = addressMember('A URL or path of this service, such as /u/ada')
const FILE_MEMBER = addressMember('The URL, path or id of a file')
const LIST_MEMBERS = {
  limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: 20 },
  cursor: { type: 'string', description: '`next_cursor` of the page before' },
}
const PART_MEMBERS = {
  offset: { type: 'integer', minimum: 0, default: 0 },
  max_chars: { type: 'integer', minimum: 1, maximum: 200_000, default: MAX_CHARS },
}

/** A tool that reads public documents, and the operation without which it does not exist. */
type ReadTool = Omit<Tool, 'module' | 'access' | 'agents' | 'annotations' | 'output' | 'scope'> & {
  readonly operationId: string
  /** Default: the schema of the response. `null`: a text. */
  readonly output?: McpObject | null | undefined
}

const input = (properties: McpObject, ...required: readonly string[]): McpObject => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})

const refusedOr = (answer: InnerAnswer, result: (answer: InnerAnswer) => ToolResult): ToolResult =>
  answer.status >= 300 ? { is: 'refused', answer } : result(answer)

const structured = (answer: InnerAnswer): ToolResult => {
  const value: unknown = JSON.parse(answer.text)
  return { is: 'structured', value: isObject(value) ? value : { data: value }, answer }
}

/** `limit` and `cursor` of a list, and other members of the query. */
function queryOf(args: McpObject, ...names: readonly string[]): string {
  const query = new URLSearchParams()
  for (const name of ['limit', 'cursor', ...names]) {
    const value = args[name]
    if (typeof value === 'string' || typeof value === 'number') {
      query.set(name, name === 'limit' ? limitText(value) : String(value))
    }
  }
  return query.size > 0 ? `?${query}` : ''
}

/** Runs a tool with the resource that an argument names. */
async function withResource(
  named: unknown,
  { publicUrl }: Pick<ToolCall, 'publicUrl'>,
  run: (address: ResourceAddress) => ToolResult | Promise<ToolResult>,
  field = 'url',
): Promise<ToolResult> {
  if (typeof named !== 'string' || named === '')
    return { is: 'invalid', field, message: 'Must be a URL or a path of this service' }
  const address = resourceAddress(named, publicUrl)
  return address && isReadable(address) ? run(address) : { is: 'foreign', field }
}

const unfit = (field: string, message: string): ToolResult => ({ is: 'invalid', field, message })

/** Runs a tool with the path of the profile that an argument names. */
const withProfile = (args: McpObject, call: ToolCall, run: (profile: string) => Promise<ToolResult>) =>
  withResource(args.url, call, (address) =>
    'profile' in address ? run(address.profile) : unfit('url', 'Must be the address of a profile, such as /u/ada'),
  )

/** Where a text comes from, for citations. */
const sourceOf = (publicUrl: string, address: ResourceAddress, path = address.path): McpObject => ({
  'dev.eep/source': {
    url: `${publicUrl}${path}`,
    ...('profile' in address && { author_did: didOfPath(publicUrl, address.profile) }),
  },
})

/** Reads one resource as Markdown. */
async function readPage(address: ResourceAddress, args: McpObject, call: ToolCall): Promise<ToolResult> {
  const path = address.kind === 'file' ? `${address.path}/markdown` : address.path
  const answer = await call.send({ method: 'GET', path, headers: { ...MARKDOWN, ...call.payment } })
  return refusedOr(answer, () => {
    const cut = cutText(answer, partOf(args))
    if (cut.is !== 'text') return cut
    const source = answer.path === path ? address : (resourceAddress(answer.path, call.publicUrl) ?? address)
    return {
      ...cut,
      meta: { ...cut.meta, ...sourceOf(call.publicUrl, source, 'id' in source ? source.path : answer.path) },
    }
  })
}

/** The members of a document that `fetch` returns. */
interface FetchedPage {
  readonly title?: unknown
  readonly name?: unknown
  readonly body?: unknown
  readonly url?: unknown
  readonly updated_at?: unknown
  readonly price?: unknown
}

const FETCHED = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    title: { type: 'string' },
    text: { type: 'string' },
    url: { type: 'string' },
    metadata: { type: 'object', properties: { author_did: { type: 'string' }, updated_at: { type: 'string' } } },
  },
  required: ['id', 'title', 'text', 'url'],
} as const

const headingOf = (markdown: string): string | undefined => /^#\s+(.+)$/m.exec(markdown)?.[1]?.trim()

/** Reads one resource in the form that research tools of assistants expect. */
async function fetchDocument(address: ResourceAddress, call: ToolCall): Promise<ToolResult> {
  const isPage = address.kind === 'content'
  const path = address.kind === 'file' ? `${address.path}/markdown` : address.path
  const answer = await call.send({
    method: 'GET',
    path,
    headers: { ...(isPage ? JSON_ONLY : MARKDOWN), ...call.payment },
  })
  return refusedOr(answer, () => {
    const document: FetchedPage = isPage ? JSON.parse(answer.text) : {}
    const text = typeof document.body === 'string' ? document.body : answer.text
    const id = address.kind === 'file' ? address.path : answer.path
    const [title = id] = [document.title, document.name, headingOf(text)].filter((each) => typeof each === 'string')
    const updated = document.updated_at
    const value = {
      id,
      title,
      text,
      url: `${call.publicUrl}${id}`,
      metadata: {
        ...('profile' in address && { author_did: didOfPath(call.publicUrl, address.profile) }),
        ...(typeof updated === 'string' && { updated_at: updated }),
      },
    }
    return { is: 'structured', value, answer }
  })
}

/** Hits as results that research tools of assistants expect, beside the answer of the route. */
function withResults(answer: InnerAnswer): ToolResult {
  const body: unknown = JSON.parse(answer.text)
  if (!isObject(body)) return { is: 'refused', answer }
  const data: readonly unknown[] = Array.isArray(body.data) ? body.data : []
  const results = data
    .filter(isObject)
    .map(({ path, title, url, snippet, kind }) => ({ id: path, title, url, snippet, kind }))
  return { is: 'structured', value: { results, data, pagination: body.pagination }, answer }
}

const SEARCHED = {
  type: 'object',
  properties: {
    results: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          title: { type: 'string' },
          url: { type: 'string' },
          snippet: { type: 'string' },
          kind: { type: 'string' },
        },
        required: ['id', 'title', 'url'],
      },
    },
    data: { type: 'array' },
    pagination: { type: 'object' },
  },
  required: ['results'],
} as const

/** The path of the posts that are asked for. */
const feedPath = async (args: McpObject, call: ToolCall, send: (path: string) => Promise<ToolResult>) => {
  if (typeof args.hashtag === 'string') {
    const tag = args.hashtag.replace(/^#/, '').toWellFormed()
    return /^\.{0,2}$/.test(tag)
      ? unfit('hashtag', 'Must be a word')
      : send(`/feed/hashtags/${encodeURIComponent(tag)}`)
  }
  return args.url === undefined ? send('/feed') : withProfile(args, call, (profile) => send(`/feed${profile}`))
}

const TOOLS: readonly ReadTool[] = [
  {
    operationId: 'search',
    name: 'search',
    title: 'Search',
    description:
      'Search profiles, pages, posts and files of this service. Each result has an `id` for `fetch` and `read_page`, a `url` to cite, and a price if reading it costs money.',
    input: input(
      {
        query: {
          type: 'string',
          minLength: 1,
          maxLength: 256,
          description: 'Words, "a phrase", -excluded, author:u/ada, type:page, tag:engines',
        },
        scope: { type: 'string', enum: ['all', 'feed', 'profiles', 'pages'], default: 'all' },
        ...LIST_MEMBERS,
      },
      'query',
    ),
    output: SEARCHED,
    isSold: false,
    async call({ query, ...args }, { send }) {
      const path = `/search${queryOf({ ...args, q: query }, 'q', 'scope')}`
      return refusedOr(await send({ method: 'GET', path, headers: JSON_ONLY }), withResults)
    },
  },
  {
    operationId: 'getContent',
    name: 'fetch',
    title: 'Fetch a document',
    description:
      'Get the whole text of a search result by its `id`, or of any URL or path of this service, with its title and address.',
    input: input({ id: addressMember('The `id` of a result, or a URL or path of this service') }, 'id'),
    output: FETCHED,
    isSold: true,
    call: ({ id }, call) => withResource(id, call, (address) => fetchDocument(address, call), 'id'),
  },
  {
    operationId: 'getContent',
    name: 'read_page',
    title: 'Read a page',
    description:
      'Read a page, profile or other document as Markdown. Long texts come in parts: call again with the `offset` that the text names.',
    input: input({ url: URL_MEMBER, ...PART_MEMBERS }, 'url'),
    output: null,
    isSold: true,
    call: (args, call) => withResource(args.url, call, (address) => readPage(address, args, call)),
  },
  {
    operationId: 'getProfile',
    name: 'get_profile',
    title: 'Get a profile',
    description: 'Get the public profile of a person, organization, place, product, event, agent or other entity.',
    input: input({ url: URL_MEMBER }, 'url'),
    isSold: true,
    call: (args, call) =>
      withProfile(args, call, async (path) =>
        refusedOr(await call.send({ method: 'GET', path, headers: { ...JSON_ONLY, ...call.payment } }), structured),
      ),
  },
  {
    operationId: 'getTableOfContents',
    name: 'list_contents',
    title: 'List the pages of a profile',
    description: 'List categories and pages of a profile, or of one category, with their prices.',
    input: input({ url: URL_MEMBER, ...LIST_MEMBERS }, 'url'),
    isSold: true,
    call: (args, call) =>
      withResource(args.url, call, async (address) => {
        if (!('profile' in address)) return unfit('url', 'Must be the address of a profile or category')
        const path = `${address.kind === 'profile' ? `${address.path}/content` : address.path}${queryOf(args)}`
        return refusedOr(
          await call.send({ method: 'GET', path, headers: { ...JSON_ONLY, ...call.payment } }),
          structured,
        )
      }),
  },
  {
    operationId: 'getFileText',
    name: 'read_file_text',
    title: 'Read a file',
    description: 'Read the text of a file (PDF, Word, spreadsheet, HTML or text) as Markdown, in parts if it is long.',
    input: input({ url: FILE_MEMBER, ...PART_MEMBERS }, 'url'),
    output: null,
    isSold: true,
    call: (args, call) => withFile(args, call, (address) => readPage(address, args, call)),
  },
  {
    operationId: 'getTranscript',
    name: 'read_transcript',
    title: 'Read a transcript',
    description: 'Read the transcript of an audio or video file, in parts if it is long.',
    input: input({ url: FILE_MEMBER, ...PART_MEMBERS }, 'url'),
    output: null,
    isSold: true,
    call: (args, call) =>
      withFile(args, call, async ({ id }) => {
        const path = `/media/${id}/transcript`
        const answer = await call.send({ method: 'GET', path, headers: { ...MARKDOWN, ...call.payment } })
        return refusedOr(answer, () => cutText(answer, partOf(args)))
      }),
  },
  {
    operationId: 'listServices',
    name: 'list_services',
    title: 'List services',
    description: 'List what a profile offers for hire or sale, with prices; negotiate about one with open_negotiation.',
    input: input({ url: URL_MEMBER }, 'url'),
    isSold: false,
    call: (args, call) =>
      withProfile(args, call, async (profile) => {
        const path = `/eep/services/${encodeURIComponent(didOfPath(call.publicUrl, profile))}`
        return refusedOr(await call.send({ method: 'GET', path, headers: JSON_ONLY }), structured)
      }),
  },
  {
    operationId: 'listPosts',
    name: 'get_feed',
    title: 'Read the feed',
    description: 'List the newest posts of everyone, of one profile, or with a hashtag.',
    input: input({
      url: addressMember('Only posts of this profile'),
      hashtag: { type: 'string' },
      ...LIST_MEMBERS,
    }),
    isSold: false,
    call: (args, call) =>
      feedPath(args, call, async (path) =>
        refusedOr(await call.send({ method: 'GET', path: path + queryOf(args), headers: JSON_ONLY }), structured),
      ),
  },
  {
    operationId: 'getProfileChangelog',
    name: 'list_changes',
    title: 'List changes',
    description: 'List what changed on a profile and its pages, newest first.',
    input: input({ url: URL_MEMBER, ...LIST_MEMBERS }, 'url'),
    isSold: false,
    call: (args, call) =>
      withProfile(args, call, async (profile) =>
        refusedOr(
          await call.send({ method: 'GET', path: `${profile}/changelog${queryOf(args)}`, headers: JSON_ONLY }),
          structured,
        ),
      ),
  },
  {
    operationId: 'getProfileTrust',
    name: 'get_trust',
    title: 'Get the trust score',
    description: 'Get the trust score of a profile and the signals that it is made of.',
    input: input({ url: URL_MEMBER }, 'url'),
    isSold: false,
    call: (args, call) =>
      withProfile(args, call, async (profile) =>
        refusedOr(await call.send({ method: 'GET', path: `/trust${profile}`, headers: JSON_ONLY }), structured),
      ),
  },
]

/** Runs a tool with the file that an argument names: an id, a path or a URL. */
const withFile = (
  args: McpObject,
  call: ToolCall,
  run: (address: ResourceAddress & { readonly kind: 'file' }) => Promise<ToolResult>,
): Promise<ToolResult> => {
  const named = /^\d+$/.test(String(args.url)) ? `/files/${args.url}` : args.url
  return withResource(named, call, (address) =>
    address.kind === 'file' ? run(address) : unfit('url', 'Must be the address or id of a file'),
  )
}

/** The schema of the successful response of a route. */
function outputOf({ schema }: RegisteredRoute): McpObject {
  const responses: unknown = schema?.response
  const { type: _, ...short } = shortSchema(jsonSchema(isObject(responses) ? responses['200'] : undefined))
  return { type: 'object', ...short }
}

/** Makes the tools that read public documents, as far as their routes exist. */
export function readTools(routes: readonly RegisteredRoute[]): readonly Tool[] {
  return TOOLS.flatMap(({ operationId, output, ...tool }) => {
    const route = routes.find(({ config }) => config.operationId === operationId && !config.unavailable)
    if (!route) return []
    const result = output === null ? undefined : (output ?? outputOf(route))
    return {
      ...tool,
      module: route.module ?? 'service',
      access: 'anyone' as const,
      scope: route.config.scope,
      agents: true,
      output: result && tool.isSold ? soldOutput(result) : result,
      annotations: READS,
    }
  })
}
