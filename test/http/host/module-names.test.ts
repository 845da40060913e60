import { everything } from '@eep/core/everything'
import {
  defineError,
  defineEvent,
  defineMessages,
  defineModule,
  defineNotification,
  type Module,
  routeConfig,
} from '@eep/core/module'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestAppOptions } from '../../support/app.ts'

const event = (type: string) =>
  defineEvent(type, { audience: 'internal', subject: 'service', data: z.object({}), summary: 'Something happened' })

const notification = (kind: string) =>
  defineNotification({
    kind,
    summary: 'News',
    events: [],
    data: z.object({}),
    notify: () => undefined,
    text: () => ({ title: '' }),
  })

const limit = { community: 1, pro: 2, team: 3 }
const permission = { role: 'editor', summary: 'Edit it' } as const
const part = {
  title: () => 'Services',
  limit: 1,
  after: 'skills',
  load: async () => [],
  json: () => [],
  markdown: () => '',
  html: () => undefined,
} as const

const start = (modules: readonly Module[], options: TestAppOptions = {}) => createTestApp({ ...options, modules })

/** Every feature whose names are used here is off. */
const OFF: TestAppOptions = {
  messages: false,
  auditLog: false,
  memory: false,
  listings: false,
  commerce: false,
  reports: false,
}

it.each<[string, Module]>([
  [
    'The module "audit" defines the scope "read:audit", which the module "audit-log" defines',
    defineModule({ name: 'audit', scopes: ['read:audit'] }),
  ],
  [
    'The module "crm" defines the scope "read:messages", which the module "messages" defines',
    defineModule({ name: 'crm', scopes: ['read:messages'] }),
  ],
  [
    'The module "audit" defines the permission "audit.read", which the module "audit-log" defines',
    defineModule({ name: 'audit', permissions: { 'audit.read': permission } }),
  ],
  [
    'The module "crm" defines the plan limit "maxMemoryMb", which the module "memory" defines',
    defineModule({ name: 'crm', planLimits: { maxMemoryMb: limit } }),
  ],
  [
    'The module "crm" defines the rate group "memory_search", which the module "memory" defines',
    defineModule({ name: 'crm', limits: { memory_search: 5 } }),
  ],
  [
    'The module "payments" defines the event "payments.payment_settled", which the module "receipts" defines',
    defineModule({ name: 'payments', events: [event('payments.payment_settled')] }),
  ],
  [
    'The module "review" defines the kind of notifications "review", which the module "listings" defines',
    defineModule({ name: 'review', notifications: [notification('review')] }),
  ],
  [
    'The module "services" defines the part of profiles "services", which the module "listings" defines',
    defineModule({ name: 'services', profilePart: { ...part, key: 'services' } }),
  ],
  [
    'The module "negotiations" defines the property of app.eep "negotiations", which the module "commerce" defines',
    defineModule({ name: 'negotiations', public: { negotiations: () => ({}) } }),
  ],
  [
    'The module "services" defines texts "services", which the service has',
    defineModule({ name: 'services', messages: defineMessages({ 'services.title': 'Services' }) }),
  ],
])('refuses a name of a feature that is not imported: %s', async (refusal, module) => {
  await expect(start([module], OFF)).rejects.toThrow(new TypeError(refusal))
})

it.each<[string, Module]>([
  [
    'The scope "admin:everything" of the module "crm" must name the module: "read:crm" or "crm:read"',
    defineModule({ name: 'crm', scopes: ['admin:everything'] }),
  ],
  [
    'The scope "read:crmail" of the module "crm" must name the module: "read:crm" or "crm:read"',
    defineModule({ name: 'crm', scopes: ['read:crmail'] }),
  ],
  [
    'The permission "deals.edit" of the module "crm" must begin with "crm."',
    defineModule({ name: 'crm', permissions: { 'deals.edit': permission } }),
  ],
  [
    'The plan limit "maxDeals" of the module "crm" must begin with "crm."',
    defineModule({ name: 'crm', planLimits: { maxDeals: limit } }),
  ],
  [
    'The rate group "deals" of the module "crm" must begin with "crm"',
    defineModule({ name: 'crm', limits: { deals: 5 } }),
  ],
  [
    'The event "deals.deal_won" of the module "crm" must begin with "crm"',
    defineModule({ name: 'crm', events: [event('deals.deal_won')] }),
  ],
  [
    'The kind of notifications "deal" of the module "crm" must begin with "crm"',
    defineModule({ name: 'crm', notifications: [notification('deal')] }),
  ],
  [
    'The property of app.eep "deals" of the module "crm" must begin with "crm"',
    defineModule({ name: 'crm', public: { deals: () => ({}) } }),
  ],
])('refuses a name that does not begin with the name of its module: %s', async (refusal, module) => {
  await expect(start([module])).rejects.toThrow(new TypeError(refusal))
})

it.each<[string, (module: 'site-news' | 'site') => Module]>([
  ['scope "read:site-news"', (name) => defineModule({ name, scopes: ['read:site-news'] })],
  ['permission', (name) => defineModule({ name, permissions: { [`${name}.edit`]: permission } })],
])('accepts names that begin with the name of a module, and refuses them in another one: %s', async (_what, make) => {
  const { close } = await start([make('site-news')])
  await close()
})

it('accepts a scope that names its module on either side of the colon, and names with underscores and capitals', async () => {
  const news = defineModule({
    name: 'site-news',
    scopes: ['read:site-news', 'site-news:publish', 'write:site-news-drafts'],
    limits: { site_news_drafts: 5 },
    events: [event('site_news.item_published')],
    public: { siteNews: () => ({}) },
  })
  const { eep, close } = await start([news])
  expect(eep.modules).toContain('site-news')
  await close()
})

it('refuses a scope that two modules of a host define, and names both', async () => {
  const news = defineModule({ name: 'news-items', scopes: ['read:news-items'] })
  const twin = defineModule({ name: 'news', scopes: ['read:news-items'] })
  await expect(start([news, twin])).rejects.toThrow(
    new TypeError('The module "news" defines the scope "read:news-items", which the module "news-items" defines'),
  )
})

it('refuses a module of a host with the name of a feature, imported or not', async () => {
  const search = defineModule({ name: 'search' })
  const refusal = new TypeError(
    'A module of @eep/core is named "search", whether it is imported or not. Give the module of the host another name',
  )
  await expect(start([search], { search: false })).rejects.toThrow(refusal)
  await expect(start([search])).rejects.toThrow(refusal)
})

it('refuses a property that replaces one of the service on app.eep', async () => {
  const stop = defineModule({ name: 'stop', public: { stop: () => ({}) } })
  await expect(start([stop])).rejects.toThrow(
    new TypeError('The module "stop" defines the property of app.eep "stop", which the service has'),
  )
})

it('refuses a path that another module serves, and names both', async () => {
  const config = (operationId: string) => routeConfig({ auth: 'none', tag: 'x', summary: 'Read it', operationId })
  const serving = (name: string, path: string) =>
    defineModule({ name, routes: (app) => void app.get(path, { config: config(`read_${name}`) }, async () => name) })
  await expect(start([serving('news', '/news'), serving('press', '/news')])).rejects.toThrow(
    new TypeError('The module "press" serves GET /news, which the module "news" serves'),
  )
  await expect(start([serving('press', '/search')])).rejects.toThrow(
    new TypeError('The module "press" serves GET /search, which the module "search" serves'),
  )
})

it('refuses a second error with the same code and another meaning', () => {
  const define = () => defineError('module_names_sold_out', 409, 'No tickets are left')
  define()
  expect(define().code).toBe('module_names_sold_out')
  expect(() => defineError('module_names_sold_out', 410, 'No tickets are left')).toThrow(
    new TypeError('The error "module_names_sold_out" is defined already: 409 No tickets are left'),
  )
})

it('names what to leave out too when a module that others require is left out', async () => {
  await expect(start([], { without: ['trust'] })).rejects.toThrow(
    new TypeError(
      `The module "trust-levels" requires "trust", which "without" leaves out. Also set without: ['trust', 'trust-levels']`,
    ),
  )
  const { eep, close } = await start([], { without: ['trust', 'trust-levels'] })
  expect(eep.modules).not.toContain('trust')
  await close()
})

it.each([
  [
    'files',
    `The modules "media", "text-extraction", "archives" require "files"`,
    'media: false, textExtraction: false, archives: false',
  ],
  ['commerce', 'The module "listings" requires "commerce"', 'listings: false'],
  ['subscriptions', 'The module "admin" requires "subscriptions"', 'admin: false'],
  ['signals', 'The modules "sockets", "webhooks" require "signals"', 'sockets: false, webhooks: false'],
  ['analytics', 'The module "insights" requires "analytics"', 'insights: false'],
])('names what to set as well when a host leaves out the feature %s', async (feature, required, others) => {
  const refusal = `${required}, which is not in "modules": import { ${feature} } from '@eep/core/${feature}'. Add it, or also set ${others}`
  await expect(start([], { [feature]: false })).rejects.toThrow(new TypeError(refusal))
  const off = Object.fromEntries(
    [feature, ...others.replaceAll(': false', '').split(', ')].map((name) => [name, false]),
  )
  const { eep, close } = await start([], off)
  expect(eep.modules).not.toContain(feature)
  await close()
})

it('names the options of every feature as everything() does', () => {
  const options = everything().map(({ name }) => name.replaceAll(/-[a-z]/g, ([, letter = '']) => letter.toUpperCase()))
  for (const option of options) expect(() => everything({ [option]: false })).not.toThrow()
})
