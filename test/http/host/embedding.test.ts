import { createEep, defineError, type EepPluginOptions, eep, serverOptions } from '@eep/core'
import { search } from '@eep/core/search'
import { cashRail } from '@eep/core/testing'
import fastifyCompress from '@fastify/compress'
import fastifyCookie from '@fastify/cookie'
import fastifySwagger from '@fastify/swagger'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, signUp } from '../../support/accounts.ts'
import { openStorage, PUBLIC_URL, SECRET } from '../../support/app.ts'
import { client } from '../../support/client.ts'

let database: Awaited<ReturnType<typeof openStorage>>
let options: EepPluginOptions
beforeAll(async () => {
  database = await openStorage()
  options = {
    publicUrl: PUBLIC_URL,
    secret: SECRET,
    storage: database.storage,
    limits: { rateLimit: { multiplier: 1_000 } },
    auth: { passwordHashing: { memoryKiB: 1_024 } },
  }
})
afterAll(() => database.close())

/** A host with the service, made in the order given. */
async function host(build: (app: FastifyInstance) => unknown, server: FastifyServerOptions = {}) {
  const app = Fastify(server)
  await build(app)
  await app.ready()
  return app
}

/** Both orders in which a host can register its own things and the service. */
const orders: [string, (app: FastifyInstance, own: () => unknown, plugin: () => unknown) => Promise<void>][] = [
  [
    'before the service',
    async (_app, own, plugin) => {
      await own()
      await plugin()
    },
  ],
  [
    'after the service',
    async (_app, own, plugin) => {
      await plugin()
      await own()
    },
  ],
]

describe.each(orders)('a host that registers its own parts %s', (_when, inOrder) => {
  it('keeps its JSON Schemas, and their errors keep the words of Fastify', async () => {
    const own = (app: FastifyInstance) =>
      app.post(
        '/echo',
        {
          schema: {
            body: { type: 'object', required: ['count'], properties: { count: { type: 'integer' } } },
            response: { 200: { type: 'object', properties: { count: { type: 'integer' } } } },
          },
        },
        async ({ body }) => ({ ...(body as object), secret: 'not in the schema' }),
      )
    const app = await host((app) =>
      inOrder(
        app,
        () => own(app),
        () => app.register(eep, options),
      ),
    )
    const echo = (payload: object) => client(app).post('/echo', payload)
    expect((await echo({ count: '3' })).json()).toEqual({ count: 3 })
    expect((await echo({})).json()).toEqual({
      statusCode: 400,
      code: 'FST_ERR_VALIDATION',
      error: 'Bad Request',
      message: "body must have required property 'count'",
    })
    await app.close()
  })

  it('keeps its error handler, and the service keeps its own', async () => {
    const app = await host((app) =>
      inOrder(
        app,
        () => {
          app.setErrorHandler((_error, _request, reply) => reply.code(418).send('of the host'))
          app.get('/fail', () => {
            throw new Error('no')
          })
        },
        () => app.register(eep, options),
      ),
    )
    expect((await client(app).get('/fail')).body).toBe('of the host')
    expect((await client(app).get('/u/unknown')).json()).toMatchObject({ error: { code: 'profile_not_found' } })
    await app.close()
  })

  it('keeps its 404 under a prefix of the service, and at the root when the service leaves it', async () => {
    for (const more of [{ prefix: '/eep' }, { notFound: false }]) {
      const app = await host((app) =>
        inOrder(
          app,
          () => app.setNotFoundHandler((_request, reply) => reply.code(404).send('of the host')),
          () => app.register(eep, { ...options, ...more }),
        ),
      )
      expect((await client(app).get('/no/such/path')).body).toBe('of the host')
      const inside = await client(app).get(`${more.prefix ?? ''}/u/unknown`)
      expect(inside.json()).toMatchObject({ error: { code: 'profile_not_found' } })
      await app.close()
    }
  })

  it('keeps its parsers, and the service reads JSON as it always does', async () => {
    const app = await host((app) =>
      inOrder(
        app,
        () => {
          app.removeContentTypeParser('application/json')
          app.addContentTypeParser(
            'application/json',
            { parseAs: 'string' },
            async (_request: unknown, text: unknown) => text,
          )
          app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: unknown, text: unknown) => text)
          app.post('/raw', async ({ body }) => ({ raw: body }))
        },
        () => app.register(eep, options),
      ),
    )
    const send = (url: string, type: string) => client(app).post(url, '{"a":1}', { 'content-type': type })
    expect((await send('/raw', 'application/json')).json()).toEqual({ raw: '{"a":1}' })
    expect((await send('/raw', 'text/csv')).json()).toEqual({ raw: '{"a":1}' })
    expect((await send('/auth/login', 'application/json')).json()).toMatchObject({
      error: { code: 'validation_failed' },
    })
    expect((await send('/auth/login', 'text/csv')).statusCode).toBe(415)
    await app.close()
  })

  it('keeps its decorators, and gets none but app.eep', async () => {
    const app = await host((app) =>
      inOrder(
        app,
        () => {
          app.decorateRequest('user', 'of the host')
          app.get('/own', async (request) => {
            const { user } = request as typeof request & { user: string }
            return { user, eep: 'eep' in request, cookies: 'cookies' in request }
          })
        },
        () => app.register(eep, options),
      ),
    )
    expect((await client(app).get('/own')).json()).toEqual({ user: 'of the host', eep: false, cookies: false })
    expect(app.hasDecorator('eep')).toBe(true)
    expect(app.hasReplyDecorator('compress') || app.hasDecorator('parseCookie')).toBe(false)
    await app.close()
  })

  it('adds no headers to responses of the host', async () => {
    const app = await host((app) =>
      inOrder(
        app,
        () => app.get('/own', async () => 'own'),
        () => app.register(eep, options),
      ),
    )
    const { headers } = await client(app).get('/own', { origin: 'https://anywhere.example' })
    expect(Object.keys(headers).sort()).toEqual(['connection', 'content-length', 'content-type', 'date'])
    await app.close()
  })

  it('keeps its cookies with its own options, and sessions work all the same', async () => {
    for (const hook of ['onRequest', 'preHandler', false] as const) {
      const app = await host((app) =>
        inOrder(
          app,
          async () => {
            await app.register(fastifyCookie, {
              secret: 'cookies of the host',
              hook,
              parseOptions: { signed: true, domain: 'host.example', maxAge: 5 },
            })
            app.get('/own', async (_request, reply) => reply.setCookie('own', 'value').send('own'))
          },
          () => app.register(eep, { ...options, prefix: '/eep' }),
        ),
      )
      expect((await client(app).get('/own')).cookies).toMatchObject([
        { name: 'own', domain: 'host.example', maxAge: 5 },
      ])

      const name = `cookies-${String(hook)}-${_when.split(' ')[0]}`.toLowerCase()
      const payload = { email: `${name}@example.com`, password: PASSWORD, username: name }
      const registered = await client(app).post('/eep/auth/register', payload)
      const [cookie] = registered.cookies
      expect(cookie).toMatchObject({
        name: '__Host-eep_session',
        value: expect.stringMatching(/^ey/),
        path: '/',
        httpOnly: true,
      })
      expect(cookie).not.toHaveProperty('domain')
      const me = await app.inject({ url: '/eep/auth/me', cookies: { '__Host-eep_session': String(cookie?.value) } })
      expect(me.statusCode, String(hook)).toBe(200)
      await app.close()
    }
  })

  it('keeps its compression, and ours works beside it', async () => {
    const app = await host((app) =>
      inOrder(
        app,
        () => app.register(fastifyCompress, { threshold: 0 }),
        () => app.register(eep, options),
      ),
    )
    const response = await client(app).get('/discover', { 'accept-encoding': 'gzip' })
    expect(response.headers['content-encoding']).toBe('gzip')
    await app.close()
  })

  it('leaves the OpenAPI document of the host to the host', async () => {
    const app = await host((app) =>
      inOrder(
        app,
        async () => {
          await app.register(fastifySwagger, { openapi: { openapi: '3.1.0', info: { title: 'Host', version: '1' } } })
          app.get('/own', { schema: { response: { 200: { type: 'string' } } } }, async () => 'own')
        },
        () => app.register(eep, options),
      ),
    )
    expect(Object.keys(app.swagger().paths ?? {})).toEqual(['/own'])
    await app.close()
  })

  it('keeps its hooks on its own routes', async () => {
    const seen: string[] = []
    const app = await host((app) =>
      inOrder(
        app,
        () => {
          app.addHook('onRequest', async ({ url }) => void seen.push(url))
          app.get('/own', async () => 'own')
        },
        () => app.register(eep, options),
      ),
    )
    await client(app).get('/own')
    expect(seen).toEqual(['/own'])
    await app.close()
  })
})

describe('a host', () => {
  it('can register the service below nested prefixes', async () => {
    const app = await host((app) =>
      app.register(
        async (scope) => {
          scope.get('/', async () => 'the scope of the host')
          await scope.register(eep, { ...options, prefix: '/profiles' })
          expect(scope.eep.publicUrl).toBe(PUBLIC_URL)
        },
        { prefix: '/v1' },
      ),
    )
    expect((await client(app).get('/v1')).body).toBe('the scope of the host')
    const { statusCode, headers } = await client(app).get('/v1/profiles/discover')
    expect(statusCode).toBe(200)
    expect(headers.link).toContain('</v1/profiles/docs/openapi.json>')
    expect((await client(app).get('/v1/profiles/nowhere')).json()).toMatchObject({ error: { code: 'not_found' } })
    expect(app.hasDecorator('eep')).toBe(false)
    await app.close()
  })

  it('answers malformed URLs in the error format of the service with serverOptions', async () => {
    const app = await host((app) => app.register(eep, options), serverOptions)
    const undecodable = await client(app).get('/u/%c0')
    expect(undecodable.statusCode).toBe(400)
    expect(undecodable.json()).toEqual({ error: { code: 'invalid_url', message: expect.any(String) } })
    expect((await client(app).get(`/u/${'a'.repeat(2_000)}`)).json()).toMatchObject({ error: { code: 'url_too_long' } })
    expect((await client(app).get(`/u/${'a'.repeat(1_000)}`)).json()).toMatchObject({
      error: { code: 'profile_not_found' },
    })
    expect((await client(app).get('/docs/errors/invalid_url')).statusCode).toBe(200)
    await app.close()
  })

  it('fails at start with the option to set when the router is too limited for DIDs', async () => {
    const publicUrl = `https://${'profiles.'.repeat(6)}example.com`
    const app = Fastify()
    await expect(app.register(eep, { ...options, publicUrl })).rejects.toThrow('Fastify({ ...serverOptions })')
    await app.close()
    const roomy = await host((app) => app.register(eep, { ...options, publicUrl }), serverOptions)
    const did = `did:web:${new URL(publicUrl).host}:agent:${'a'.repeat(64)}`
    expect((await client(roomy).get(`/eep/gates/${did}`)).json()).toMatchObject({
      error: { code: 'profile_not_found' },
    })
    await roomy.close()
  })

  it('can serve robots.txt at its root while the service is below a prefix', async () => {
    const publicUrl = 'https://example.com/profiles'
    const app = await host(async (app) => {
      app.get('/robots.txt', (_request, reply) => reply.type('text/plain').send(app.eep.robotsTxt()))
      await app.register(eep, { ...options, publicUrl, prefix: '/profiles' })
    })
    const { body } = await client(app).get('/robots.txt')
    expect(body).toContain('Allow: /profiles/')
    expect(body).toContain('Disallow: /profiles/auth')
    expect(body).toContain('Sitemap: https://example.com/profiles/sitemap.xml')
    expect(body).toBe((await client(app).get('/profiles/robots.txt')).body)
    await app.close()
  })

  it('opens a second listener for the same service', async () => {
    const clean = await host((app) => app.register(eep, options))
    const gateway = await host((app) => app.register(clean.eep.http, { prefix: '/api' }))

    const { headers, account } = await signUp(clean, 'two-doors')
    expect((await client(gateway).get('/api/auth/me', headers)).json()).toMatchObject({ id: account.id })
    const [here, there] = await Promise.all([
      client(clean).get('/u/two-doors'),
      client(gateway).get('/api/u/two-doors'),
    ])
    expect(there.body).toBe(here.body)
    expect(there.headers.etag).toBe(here.headers.etag)
    expect(here.headers.link).toContain('</u/two-doors/content>')
    expect(there.headers.link).toContain('</api/u/two-doors/content>')
    expect((await client(gateway).get('/u/two-doors')).statusCode).toBe(404)

    const robots = await client(gateway).get('/api/robots.txt')
    expect(robots.body).toContain('\nDisallow: /api/admin\n')
    expect(robots.body).not.toContain('\nDisallow: /admin\n')
    expect(robots.body).toBe(clean.eep.robotsTxt('/api'))
    expect((await client(clean).get('/robots.txt')).body).toContain('\nDisallow: /admin\n')

    await gateway.close()
    expect((await client(clean).get('/u/two-doors')).statusCode).toBe(200)
    await clean.close()
  })

  it('counts the requests of both listeners together', async () => {
    const clean = await host((app) => app.register(eep, { ...options, limits: { rateLimit: { multiplier: 0.02 } } }))
    const gateway = await host((app) => app.register(clean.eep.http, { prefix: '/api' }))
    await client(clean).get('/discover')
    expect((await client(gateway).get('/api/discover')).headers['x-ratelimit-remaining']).toBe('0')
    await Promise.all([clean.close(), gateway.close()])
  })

  it('keeps its own root page with rootFiles: false', async () => {
    const app = await host(async (app) => {
      app.get('/', async () => 'the page of the host')
      await app.register(eep, { ...options, discovery: { rootFiles: false } })
    })
    expect((await client(app).get('/')).body).toBe('the page of the host')
    expect((await client(app).get('/discover')).body).not.toContain('undefined')
    await app.close()
  })

  it('uses the services as plain functions', async () => {
    const app = await host((app) => app.register(eep, options))
    await signUp(app, 'plain')
    const profile = await app.eep.profiles.find('person', 'plain')
    expect(profile).toMatchObject({ type: 'person', username: 'plain' })
    await app.close()
  })

  it('can reject a registration with a custom error from a hook, which is in the catalogue', async () => {
    const closed = defineError('registration_closed', 403, 'Registration is closed')
    const beforeRegister = () => {
      throw closed()
    }
    const app = await host((app) => app.register(eep, { ...options, hooks: { beforeRegister } }))
    const payload = { email: 'late@example.com', password: PASSWORD, username: 'late' }
    const response = await client(app).post('/auth/register', payload)
    expect(response.statusCode).toBe(403)
    expect(response.json()).toEqual({ error: { code: 'registration_closed', message: 'Registration is closed' } })
    expect((await client(app).get('/docs/errors/registration_closed')).statusCode).toBe(200)
    expect((await client(app).get('/u/late')).statusCode).toBe(404)
    await app.close()
  })
})

describe('wrong options', () => {
  it.each<[string, Record<string, unknown>]>([
    ['publicUrl', { publicUrl: 'profiles.example' }],
    ['publicUrl', { publicUrl: 'https://profiles.example/?a=b' }],
    ['storage', { storage: {} }],
    ['secret', { secret: 'short' }],
    ['secret', { secret: [] }],
    ['payments.rails', { payments: { rails: [cashRail(), cashRail()] } }],
    ['payments.rails.0', { payments: { rails: [{ id: 'nothing' }] } }],
    ['payments.payerProof', { payments: { payerProof: 'none' } }],
    ['limits.rateLimit.multiplier', { limits: { rateLimit: { multiplier: 0 } } }],
    ['limits.rateLimit.store', { limits: { rateLimit: { store: 'memory' } } }],
    ['http.trustedOrigins.0', { http: { trustedOrigins: ['https://app.example/path'] } }],
    ['auth.passwordHashing.memoryKiB', { auth: { passwordHashing: { memoryKiB: 8 } } }],
    ['hooks.beforePublish', { hooks: { beforePublish: 'never' } }],
    ['colour', { colour: 'red' }],
  ])('fail the start with the path %s', async (path, wrong) => {
    const app = Fastify()
    await expect(app.register(eep, { ...options, ...wrong } as EepPluginOptions)).rejects.toThrow(
      new RegExp(`options of the service are not valid:\\n.*${path.replaceAll('.', '\\.')}`, 's'),
    )
    await app.close()
  })

  it('lists all invalid options in one error', () => {
    // Options that the types refuse.
    expect(() => createEep({ publicUrl: '', secret: '' } as unknown as EepPluginOptions)).toThrow(
      /publicUrl: .*storage: .*secret: /s,
    )
  })
})

describe('the end', () => {
  it('stops everything but the storage when the server closes', async () => {
    const handles = () =>
      process
        .getActiveResourcesInfo()
        .filter((kind) => !['PipeWrap', 'TTYWrap'].includes(kind))
        .sort()
    const before = handles()
    let closed = 0
    const rail = { ...cashRail(), close: async () => void closed++ }
    const app = await host((app) => app.register(eep, { ...options, payments: { rails: [rail] } }))
    app.eep.follow('until-the-end', {})
    await client(app).get('/discover')
    await app.close()
    expect(closed).toBe(1)
    await expect.poll(() => handles().length).toBeLessThanOrEqual(before.length)
    await expect(database.storage.ping()).resolves.not.toThrow()
  })

  it('closes each port once when the server closes', async () => {
    const closed: string[] = []
    const closing = (name: string) => ({ close: async () => void closed.push(name) })
    const app = await host((app) =>
      app.register(eep, {
        ...options,
        payments: { rails: [{ ...cashRail(), ...closing('rail') }] },
        email: { mailer: { send: async () => undefined, ...closing('mailer') } },
        modules: [search({ index: { ...database.storage.search(), ...closing('search index') } })],
      }),
    )
    expect(closed).toEqual([])
    await app.close()
    expect(closed.sort()).toEqual(['mailer', 'rail', 'search index'])
  })

  it('stops a service that was never started', async () => {
    const service = createEep(options)
    await service.stop()
  })

  it('waits for a running handler of a follower', async () => {
    const app = await host((app) => app.register(eep, options))
    let handled = false
    const begun = new Promise<void>((resolve) => {
      app.eep.follow('slow', {
        'accounts.account_registered': async () => {
          resolve()
          await new Promise((wait) => setTimeout(wait, 50))
          handled = true
        },
      })
    })
    await signUp(app, 'slowly')
    await begun
    await app.close()
    expect(handled).toBe(true)
  })
})

describe('a host with an internationalised name', () => {
  it.each([
    ['https://日本語.example/', 'https://xn--wgv71a119e.example'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ])('publishes %s in ASCII, in headers as in bodies', async (publicUrl, ascii) => {
    const lines: unknown[] = []
    const log = (details: unknown) => void lines.push(details)
    const logger = { info: log, warn: log, error: log }
    const app = await host((app) => app.register(eep, { ...options, publicUrl, logger }), serverOptions)
    const name = `idn${ascii.length}`
    await signUp(app, name)
    for (const accept of ['text/markdown', 'application/json', 'application/toon', 'text/html']) {
      const response = await app.inject({ url: `/u/${name}`, headers: { accept } })
      expect(response.statusCode, accept).toBe(200)
      expect(response.body).toContain(ascii)
      expect(response.body).not.toMatch(/日本語\.example|bücher\.example/)
      expect(String(response.headers.link)).toMatch(/^[\x20-\x7e]*$/)
    }
    expect((await app.inject('/sitemap.xml')).statusCode).toBe(200)
    expect(lines).toContainEqual({ publicUrl: ascii })
    await app.close()
  })

  it('refuses a URL that contains a password', () => {
    expect(() => createEep({ ...options, publicUrl: 'https://user:secret@profiles.example' })).toThrow(
      'publicUrl: Must not contain a user name or a password',
    )
  })
})

describe('a host with its own routes at the root', () => {
  const own = async () => 'own'

  it.each([
    ['/', 'discovery: { rootFiles: false }'],
    ['/robots.txt', 'discovery: { rootFiles: false }'],
    ['/health', 'health: false'],
    ['/u/:username', 'Profiles have their addresses there'],
    ['/discover', 'Move your route'],
  ])('learns at its start what to do about %s', async (path, hint) => {
    const starting = host(async (app) => {
      app.get(path, own)
      await app.register(eep, options)
    })
    const error = await starting.catch((caught) => caught)
    expect(error.message).toContain(`This server already has a route ${path}`)
    expect(error.message).toContain(hint)
    expect(error.message).toContain('`prefix`')
  })

  it('learns at its start what to do about its not-found handler', async () => {
    const starting = host(async (app) => {
      app.setNotFoundHandler((_request, reply) => reply.code(404).send('own'))
      await app.register(eep, options)
    })
    await expect(starting).rejects.toThrow('Set `notFound: false` to keep yours')
  })

  it('keeps them with the options that leave these paths to it', async () => {
    const app = await host(async (app) => {
      for (const path of ['/', '/health', '/healthz', '/health/ready', '/robots.txt']) app.get(path, own)
      app.setNotFoundHandler((_request, reply) => reply.code(404).send('own'))
      await app.register(eep, { ...options, notFound: false, health: false, discovery: { rootFiles: false } })
    })
    for (const path of ['/', '/health', '/healthz', '/health/ready', '/robots.txt', '/nowhere']) {
      expect((await app.inject(path)).body, path).toBe('own')
    }
    expect((await app.inject('/discover')).statusCode).toBe(200)
    await app.close()
  })

  it('can skip the routes of the service in its hooks by their configuration', async () => {
    const seen: string[] = []
    const app = await host(async (app) => {
      app.addHook('onRequest', async (request) => {
        if (request.routeOptions.config.eep === undefined) seen.push(request.url)
      })
      await app.register(eep, options)
      app.get('/own', own)
    })
    for (const path of ['/own', '/discover', '/health']) await app.inject(path)
    expect(seen).toEqual(['/own'])
    await app.close()
  })

  it('does not run hooks for the service that it adds in a scope beside it', async () => {
    const seen: string[] = []
    const app = await host(async (app) => {
      await app.register(eep, options)
      await app.register(async (shop) => {
        shop.addHook('onRequest', async ({ url }) => void seen.push(url))
        shop.get('/own', own)
      })
    })
    for (const path of ['/own', '/discover']) await app.inject(path)
    expect(seen).toEqual(['/own'])
    await app.close()
  })
})
