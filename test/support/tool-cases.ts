import type { Storage } from '@eep/core/ports'
import { didOf, type Person, signUp } from './accounts.ts'
import { PUBLIC_URL, type TestApp } from './app.ts'
import type { Response } from './client.ts'
import { listService, openDeal } from './deals.ts'
import { field, fileOf, upload } from './files.ts'
import { ended, ingest, newRecording } from './media.ts'
import { newMemory, remember } from './memory.ts'
import { makeContactable, openConversation } from './messages.ts'
import type { Shop } from './shop.ts'

/** The request to a route that a call of a tool must equal. */
export interface EqualRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** A call of a tool, and the request that it is. */
export interface ToolCase {
  readonly args: object
  readonly request: EqualRequest
  /** The code with which callers without an account are refused before the route is asked. Default: that of the route. */
  readonly unsigned?: string
  /** What the tool makes of the response of the route. Default: its JSON. */
  readonly of?: (response: Response) => unknown
}

const MARKDOWN = { accept: 'text/markdown, text/plain;q=0.9' }
const textOf = ({ body }: Response) => body

const DAY_MS = 86_400_000

/** A day before the tests, so that figures of it do not change between two requests. */
const PERIOD = {
  from: new Date(Date.now() - 3 * DAY_MS).toISOString(),
  to: new Date(Date.now() - 2 * DAY_MS).toISOString(),
}

interface World {
  readonly app: TestApp
  readonly storage: Storage
  readonly shop: Shop
  readonly buyer: Person
  readonly receiptId: string
}

/**
 * Makes what tools need, and returns a call of each tool of the whole service, by its name. What a call changes is made for each call, with
 * names that differ in their digits only.
 */
export async function openToolCases({ app, shop, storage, buyer, receiptId }: World) {
  let count = 0
  const next = () => ++count
  const did = encodeURIComponent(shop.did)
  const profile = shop.profileId
  const acting = { 'x-active-profile-id': String(profile) }
  const made = async (response: Promise<Response>, member = 'id') => {
    const { statusCode, body } = await response
    if (statusCode !== 201) throw new Error(`nothing was made: ${body}`)
    return JSON.parse(body)[member]
  }
  const newPage = () =>
    made(
      shop.post('/manage/pages', { profile_id: profile, title: `Page ${next()}`, body: 'Text', status: 'published' }),
    )
  const newCategory = () => made(shop.post('/manage/categories', { profile_id: profile, name: `Category ${next()}` }))
  const newPost = () => made(shop.post('/feed', { body: `Post ${next()}` }))

  for (const person of [shop, buyer])
    await storage.transaction((tx) => tx.accounts.save(person.account.id, { emailVerified: true, emailOwned: true }))
  await makeContactable(shop)
  await listService(shop)
  await newPost()
  const fileId: number = (
    await upload(app, [field('username', shop.account.username), fileOf('Hello.')], shop.headers)
  ).json().id
  const audioId = await newRecording(app, shop.headers, shop.account.username)
  await ended(app, shop.headers, (await ingest(app, shop.headers, audioId)).json().id)
  const conversation = await openConversation(buyer, shop)
  const memory = await newMemory(shop, profile)
  await remember(shop, memory, 'Looms were driven by cards')
  const notes = await newMemory(shop, profile)
  const [memoryId, notesId] = [memory, notes].map((path) => path.split('/').at(-1))
  const deal = await openDeal(app, { buyer, seller: shop })
  const pageId = await newPage()

  const cases: Readonly<Record<string, () => ToolCase | Promise<ToolCase>>> = {
    search: () => ({
      args: { query: 'Welcome', limit: 5 },
      request: { path: '/search?q=Welcome&limit=5' },
      of: (response) => {
        const { data, pagination } = response.json()
        const results = data.map(({ path, title, url, snippet, kind }: Record<string, unknown>) => ({
          ...{ id: path, title, url, snippet, kind },
        }))
        return { results, data, pagination }
      },
    }),
    fetch: () => ({
      args: { id: shop.paid },
      request: { path: shop.paid },
      of: (response) => {
        const { title, body, updated_at } = response.json()
        const metadata = { author_did: shop.did, updated_at }
        return { id: shop.paid, title, text: body, url: PUBLIC_URL + shop.paid, metadata }
      },
    }),
    read_page: () => ({ args: { url: shop.paid }, request: { path: shop.paid, headers: MARKDOWN }, of: textOf }),
    get_profile: () => ({ args: { url: shop.profile }, request: { path: shop.profile } }),
    list_contents: () => ({ args: { url: shop.contents, limit: 2 }, request: { path: `${shop.contents}?limit=2` } }),
    read_file_text: () => ({
      args: { url: String(fileId) },
      request: { path: `/files/${fileId}/markdown`, headers: MARKDOWN },
      of: textOf,
    }),
    read_transcript: () => ({
      args: { url: `/files/${audioId}` },
      request: { path: `/media/${audioId}/transcript`, headers: MARKDOWN },
      of: textOf,
    }),
    list_services: () => ({ args: { url: shop.profile }, request: { path: `/eep/services/${did}` } }),
    get_feed: () => ({ args: { url: shop.profile }, request: { path: `/feed${shop.profile}` } }),
    list_changes: () => ({ args: { url: shop.profile }, request: { path: `${shop.profile}/changelog` } }),
    get_trust: () => ({ args: { url: shop.profile }, request: { path: `/trust${shop.profile}` } }),
    get_price: () => ({
      args: { url: shop.open },
      request: { method: 'HEAD', path: shop.open, headers: MARKDOWN },
      of: () => ({ url: PUBLIC_URL + shop.open, access: 'open' }),
    }),
    get_account: () => ({ args: {}, request: { path: '/auth/me' } }),
    list_profiles: () => ({ args: {}, request: { path: '/dashboard/profiles' } }),
    get_limits: () => ({ args: {}, request: { path: '/manage/limits' } }),
    get_gates: () => ({ args: { did: shop.did }, request: { path: `/eep/gates/${did}` } }),
    explain_access: () => ({
      args: { did: shop.did, resource: 'content.notes.engines' },
      request: { path: `/eep/gates/${did}/explain?resource=content.notes.engines` },
    }),
    get_receipt: () => ({ args: { receiptId }, request: { path: `/eep/payment/receipts/${receiptId}` } }),
    list_sales: () => ({ args: { profile }, request: { path: `/eep/payment/sales?profile_id=${profile}` } }),
    get_sales_report: () => ({
      args: { profile, ...PERIOD },
      request: { path: `/eep/payment/sales/report?profile_id=${profile}&${new URLSearchParams(PERIOD)}` },
    }),
    list_purchases: () => ({ args: {}, request: { path: '/purchases' }, unsigned: 'unauthenticated' }),
    list_categories: () => ({ args: { profile }, request: { path: `/manage/categories?profile_id=${profile}` } }),
    list_pages: () => ({
      args: { profile: shop.account.username, limit: 2 },
      request: { path: `/manage/pages?profile_id=${profile}&limit=2` },
    }),
    get_page: () => ({ args: { id: pageId }, request: { path: `/manage/pages/${pageId}` } }),
    list_page_versions: () => ({ args: { id: pageId }, request: { path: `/manage/pages/${pageId}/versions` } }),
    list_negotiations: () => ({ args: { limit: 2 }, request: { path: '/eep/commerce/negotiations?limit=2' } }),
    get_negotiation: () => ({ args: { id: deal.id }, request: { path: deal.path } }),
    get_following_feed: () => ({ args: { profile }, request: { path: '/feed/following', headers: acting } }),
    list_conversations: () => ({ args: {}, request: { path: '/messages/conversations' } }),
    list_messages: () => ({
      args: { id: conversation },
      request: { path: `/messages/conversations/${conversation}/messages` },
    }),
    list_notifications: () => ({
      args: { profile },
      request: { path: `/notifications?profile_id=${profile}`, headers: acting },
    }),
    list_memory_sessions: () => ({
      args: { profile, limit: 1 },
      request: { path: `/memory/sessions?profile_id=${profile}&limit=1` },
    }),
    search_memory: () => ({
      args: { id: memoryId, query: 'looms' },
      request: { method: 'POST', path: `${memory}/search`, body: { query: 'looms' } },
    }),
    recall_memory: () => ({
      args: { id: memoryId, query: 'looms', token_budget: 100 },
      request: { method: 'POST', path: `${memory}/recall`, body: { query: 'looms', token_budget: 100 } },
    }),
    get_analytics: () => ({
      args: { profile, ...PERIOD },
      request: { path: `/analytics/profiles/${profile}?${new URLSearchParams(PERIOD)}` },
    }),
    get_agent_insights: () => ({
      args: { profile, ...PERIOD },
      request: { path: `/insights/agents?profile_id=${profile}&${new URLSearchParams(PERIOD)}` },
    }),

    create_profile: () => {
      const body = { profile_type: 'place', username: `place-${next()}`, type_data: {} }
      return { args: body, request: { method: 'POST', path: '/profiles', body } }
    },
    update_profile: () => {
      const body = { bio: `Sells notes, edition ${next()}` }
      return { args: { ...body, profile }, request: { method: 'PUT', path: '/manage/profile', body, headers: acting } }
    },
    follow_profile: async () => {
      const { username } = (await signUp(app)).account
      return { args: { prefix: 'u', username }, request: { method: 'POST', path: `/connections/u/${username}` } }
    },
    unfollow_profile: async () => {
      const { username } = (await signUp(app)).account
      await shop.post(`/connections/u/${username}`)
      return { args: { prefix: 'u', username }, request: { method: 'DELETE', path: `/connections/u/${username}` } }
    },
    set_price: () => {
      const body = { amount: 0.5, currency: 'usdc', per: 'once' }
      const resource = 'content.extra'
      return {
        args: { resource, profile, ...body },
        request: { method: 'PUT', path: `/manage/prices/${resource}?profile_id=${profile}`, body },
      }
    },
    create_category: () => {
      const body = { name: `Category ${next()}` }
      const request = { method: 'POST', path: '/manage/categories', body: { ...body, profile_id: profile } } as const
      return { args: { ...body, profile }, request }
    },
    update_category: async () => {
      const id = await newCategory()
      const body = { description: 'About notes' }
      return { args: { id, ...body }, request: { method: 'PUT', path: `/manage/categories/${id}`, body } }
    },
    create_page: () => {
      const body = { title: `Page ${next()}`, body: 'Text' }
      const request = { method: 'POST', path: '/manage/pages', body: { ...body, profile_id: profile } } as const
      return { args: { ...body, profile }, request }
    },
    update_page: async () => {
      const id = await newPage()
      const body = { body: 'Another text' }
      return { args: { id, ...body }, request: { method: 'PUT', path: `/manage/pages/${id}`, body } }
    },
    delete_page: async () => {
      const id = await newPage()
      return { args: { id }, request: { method: 'DELETE', path: `/manage/pages/${id}` } }
    },
    restore_page_version: async () => {
      const id = await newPage()
      await shop.put(`/manage/pages/${id}`, { body: 'Another text' })
      const path = `/manage/pages/${id}/versions/1/restore`
      return { args: { id, version: 1 }, request: { method: 'POST', path } }
    },
    reorder_content: async () => {
      const parent = await newCategory()
      const pages = await Promise.all(
        ['One', 'Two'].map((title) =>
          made(shop.post('/manage/pages', { profile_id: profile, category_id: parent, title, body: 'Text' })),
        ),
      )
      const body = { kind: 'pages', parent_id: parent, ids: pages.toReversed() }
      return { args: body, request: { method: 'POST', path: '/manage/reorder', body } }
    },
    open_negotiation: () => {
      const body = {
        seller_did: didOf(shop),
        service: 'An hour of advice',
        pricing: { model: 'fixed', currency: 'usd', amount: 90 },
      }
      return { args: body, request: { method: 'POST', path: '/eep/commerce/negotiations', body } }
    },
    move_negotiation: async () => {
      const { id, path } = await openDeal(app, { buyer, seller: shop })
      return { args: { id, action: 'accept' }, request: { method: 'POST', path: `${path}/accept` } }
    },
    create_post: () => {
      const body = { body: `Post ${next()}` }
      return { args: body, request: { method: 'POST', path: '/feed', body } }
    },
    delete_post: async () => {
      const id = await newPost()
      return { args: { id }, request: { method: 'DELETE', path: `/feed/${id}` } }
    },
    send_message: () => {
      const body = { body: `Message ${next()}` }
      const path = `/messages/conversations/${conversation}/messages`
      return { args: { id: conversation, ...body }, request: { method: 'POST', path, body } }
    },
    mark_notifications_read: () => ({
      args: { all: true, profile },
      request: { method: 'POST', path: '/notifications/read', body: { all: true }, headers: acting },
    }),
    create_memory_session: () => {
      const body = { ttl_seconds: 3_600, name: `Session ${next()}` }
      const request = { method: 'POST', path: '/memory/sessions', body: { ...body, profile_id: profile } } as const
      return { args: { ...body, profile }, request }
    },
    add_memory_entries: () => {
      const body = { role: 'user', content: `Note ${next()}` }
      return {
        args: { id: notesId, ...body },
        request: { method: 'POST', path: `${notes}/entries`, body },
      }
    },
    delete_memory_entry: async () => {
      const [entryId] = await remember(shop, notes, 'Forget this')
      return {
        args: { id: notesId, entryId },
        request: { method: 'DELETE', path: `${notes}/entries/${entryId}` },
      }
    },
  }
  return cases
}
