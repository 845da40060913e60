import { createEep, defineError, type EepError, type EepEvent, type EepOptions, eep, type JobKind } from '@eep/core'
import { directoryBlobs, type files, sharpImages } from '@eep/core/files'
import { httpTranscriber, type MediaOptions } from '@eep/core/files/media'
import { documentConverter, type TextExtractionOptions } from '@eep/core/files/text'
import { defineConsumer, defineEvent, defineModule, on, profiles } from '@eep/core/module'
import type {
  Account,
  AccountReader,
  BlobStore,
  DocumentConverter,
  ImageProcessor,
  JobQueue,
  Scanner,
  Transcriber,
} from '@eep/core/ports'
import Fastify from 'fastify'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { orderCancelled, orderPlaced } from '../support/orders-module.ts'

declare const options: EepOptions

describe('the service', () => {
  const service = createEep(options)

  it('gives a listener the data of the event it names', () => {
    service.on('content.page_saved', ({ type, data, profileId }) => {
      expectTypeOf(type).toEqualTypeOf<'content.page_saved'>()
      expectTypeOf(data.version).toBeNumber()
      expectTypeOf(data.status).toEqualTypeOf<'draft' | 'published' | 'archived'>()
      expectTypeOf(profileId).toEqualTypeOf<number | null>()
      // @ts-expect-error a page has no amount
      data.amount
    })
  })

  it('knows the names of events', () => {
    // @ts-expect-error no event has this name
    service.on('content.page_eaten', () => {})
    // @ts-expect-error no event has this name
    service.follow('crm', { 'content.page_eaten': () => {} })
  })

  it('gives each handler of a follower the data of its event', () => {
    service.follow('crm', {
      'payments.payment_settled': ({ data }) => {
        expectTypeOf(data.amount).toEqualTypeOf<{ readonly decimal: string; readonly currency: string }>()
      },
      'profiles.profile_created': async ({ data }) => {
        expectTypeOf(data.username).toBeString()
      },
    })
  })

  it('returns functions that stop listening and following', () => {
    expectTypeOf(service.on('profiles.profile_deleted', () => {})).toEqualTypeOf<() => void>()
    expectTypeOf(service.follow('crm', {})).toEqualTypeOf<() => Promise<void>>()
  })

  it('gives a listener the data of a definition of the host, and of the name of one', () => {
    service.on(orderPlaced, ({ type, data }) => {
      expectTypeOf(type).toEqualTypeOf<'orders.order_placed'>()
      expectTypeOf(data).toEqualTypeOf<{ readonly order: string }>()
    })
    service.on('orders.order_cancelled', ({ data }) => void expectTypeOf(data.reason).toBeString())
    service.follow('invoices', [on(orderPlaced, ({ data }) => void expectTypeOf(data.order).toBeString())])
    // @ts-expect-error an order has no amount
    service.on(orderPlaced, ({ data }) => data.amount)
  })

  it('gives a consumer of several definitions a union that the type narrows', () => {
    defineConsumer({
      name: 'invoices',
      events: [orderPlaced, orderCancelled],
      handle(event) {
        if (event.type === 'orders.order_cancelled') expectTypeOf(event.data.reason).toBeString()
        else expectTypeOf(event.data).toEqualTypeOf<{ readonly order: string }>()
      },
    })
  })

  it('refuses types on the wire that the schemas of EEP do not admit in subscriptions', () => {
    const about = { audience: 'public', subject: 'profile', data: z.object({}), summary: 'Bought' } as const
    const types = { 'credits.pack.bought': z.object({}), 'gate.config_changed': z.object({}) }
    defineEvent('credits.pack_bought', { ...about, signal: 'credits.pack.bought' })
    defineEvent('credits.pack_bought', { ...about, signal: { types, of: () => undefined } })
    // @ts-expect-error a type on the wire has dots
    defineEvent('credits.pack_bought', { ...about, signal: 'credits.pack_bought' })
  })

  it('knows the names of the modules that can be left out', () => {
    createEep({ ...options, without: ['teams'] })
    // @ts-expect-error no module has this name
    createEep({ ...options, without: ['team'] })
    // @ts-expect-error the service needs its profiles
    createEep({ ...options, without: ['profiles'] })
  })

  it('gives hosts the public methods of services and nothing else', () => {
    expectTypeOf(service.profiles.find).parameter(1).toBeString()
    expectTypeOf(service.orders.place).parameter(0).toBeString()
    // @ts-expect-error internal
    service.profiles.lockWithPermission
    // @ts-expect-error internal
    service.subscriptions.sweep
    // @ts-expect-error no module publishes this
    service.outbox
  })

  it('gives modules of hosts the public methods of the services that they require', () => {
    defineModule({
      name: 'shop',
      requires: [profiles],
      create(_context, services) {
        expectTypeOf(services.profiles.find).parameter(1).toBeString()
        // @ts-expect-error internal
        services.profiles.linkKeys
        // @ts-expect-error not required
        services.accounts
        return {}
      },
    })
  })

  it('narrows any event by its type', () => {
    const describe = (event: EepEvent) => {
      if (event.type === 'gates.config_changed') expectTypeOf(event.data.version).toBeNumber()
      if (event.type === 'profiles.profile_created') expectTypeOf(event.data.username).toBeString()
    }
    expectTypeOf(describe).parameter(0).toExtend<{ readonly cursor: string; readonly at: Date }>()
  })
})

describe('the caller of a hook', () => {
  it('carries no password hash', () => {
    type Caller = NonNullable<
      Parameters<NonNullable<NonNullable<EepOptions['hooks']>['legalRestriction']>>[0]['caller']
    >
    expectTypeOf<Caller['account']>().toEqualTypeOf<Account>()
    expectTypeOf<Extract<keyof Account, 'passwordHash'>>().toBeNever()
    expectTypeOf<AccountReader['getPasswordHash']>().returns.resolves.toEqualTypeOf<string | null | undefined>()
  })
})

describe('files and jobs', () => {
  type FileOptions = NonNullable<Parameters<typeof files>[0]>
  it('takes what keeps, cleans, scans and reads them by its port', () => {
    expectTypeOf<FileOptions['blobStore']>().toEqualTypeOf<BlobStore | undefined>()
    expectTypeOf<FileOptions['imageProcessor']>().toEqualTypeOf<ImageProcessor | undefined>()
    expectTypeOf<FileOptions['scanner']>().toEqualTypeOf<Scanner | undefined>()
    expectTypeOf<TextExtractionOptions['converter']>().toEqualTypeOf<DocumentConverter | undefined>()
    expectTypeOf<MediaOptions['transcriber']>().toEqualTypeOf<Transcriber | undefined>()
    expectTypeOf<EepOptions['storage']['queue']>().toEqualTypeOf<JobQueue | undefined>()
    expectTypeOf(directoryBlobs({ directory: 'files' })).toExtend<BlobStore>()
    expectTypeOf(sharpImages()).toExtend<ImageProcessor>()
    expectTypeOf(documentConverter()).toExtend<DocumentConverter>()
    expectTypeOf(httpTranscriber({ url: 'https://speech.example' })).toExtend<Transcriber>()
  })

  it('gives a listener the result of a job and the id of a stored file', () => {
    const service = createEep(options)
    service.on('jobs.job_finished', ({ data }) => void expectTypeOf(data.jobId).toBeString())
    service.on('files.file_stored', ({ data }) => void expectTypeOf(data.size).toBeNumber())
  })

  it('gives a kind of job its signal and a function that reports progress', () => {
    const kind: JobKind = {
      name: 'report',
      timeoutMs: 1_000,
      attempts: 1,
      async run({ job, signal, progress }) {
        expectTypeOf(job.id).toBeString()
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
        await progress(50)
        return { rows: 1 }
      },
    }
    expectTypeOf(kind).toExtend<JobKind>()
    // @ts-expect-error a kind has to say what it does
    const nothing: JobKind = { name: 'nothing', timeoutMs: 1, attempts: 1 }
    expectTypeOf(nothing).toExtend<JobKind>()
  })
})

describe('the plugin', () => {
  it('takes the options of the service and of the listener, and gives app.eep its type', async () => {
    const app = Fastify()
    await app.register(eep, { ...options, prefix: '/api', notFound: false })
    expectTypeOf(app.eep).toEqualTypeOf<ReturnType<typeof createEep>>()
    await Fastify().register(app.eep.http, { prefix: '/api' })
    // @ts-expect-error the storage is missing
    await app.register(eep, { publicUrl: 'https://profiles.example', secret: 'secret' })
  })
})

describe('defineError', () => {
  it('makes a function that makes errors', () => {
    const tooMany = defineError('too_many', 403, 'Too many')
    expectTypeOf(tooMany()).toEqualTypeOf<EepError>()
    expectTypeOf(tooMany).parameter(0).toExtend<{ message?: string | undefined } | undefined>()
  })
})
