import { createEep, defineError, type EepError, type EepEvent, type EepOptions, eep } from '@eep/core'
import Fastify from 'fastify'
import { describe, expectTypeOf, it } from 'vitest'

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

  it('gives each handler of a follower the data of its own event', () => {
    service.follow('crm', {
      'payments.payment_settled': ({ data }) => {
        expectTypeOf(data.amount).toEqualTypeOf<{ readonly decimal: string; readonly currency: string }>()
      },
      'profiles.profile_created': async ({ data }) => {
        expectTypeOf(data.username).toBeString()
      },
    })
  })

  it('tells how to stop listening and following', () => {
    expectTypeOf(service.on('profiles.profile_deleted', () => {})).toEqualTypeOf<() => void>()
    expectTypeOf(service.follow('crm', {})).toEqualTypeOf<() => Promise<void>>()
  })

  it('narrows any event by its type', () => {
    const describe = (event: EepEvent) => {
      if (event.type === 'gates.config_changed') expectTypeOf(event.data.version).toBeNumber()
      if (event.type === 'profiles.profile_created') expectTypeOf(event.data.username).toBeString()
    }
    expectTypeOf(describe).parameter(0).toExtend<{ readonly position: number; readonly at: Date }>()
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
