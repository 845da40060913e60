import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineEvent } from './define-event.ts'

const about = { audience: 'public', subject: 'profile', data: z.object({}), summary: 'A pack was bought' } as const

it('refuses a type on the wire with an underscore also among several', () => {
  const types = { 'credits.pack.bought': z.object({}), 'credits.pack_bought': z.object({}) }
  expect(() => defineEvent('credits.pack_bought', { ...about, signal: { types, of: () => undefined } })).toThrow(
    'must be words separated by dots',
  )
})

const named = (signal: string) => () => defineEvent('credits.pack_bought', { ...about, signal })

it.each(['credits.pack.bought', 'credits.bought', 'gate.config_changed', 'gate.access_granted'])(
  'accepts the type %s on the wire',
  (signal) => expect(named(signal)().signals?.types).toMatchObject([{ type: signal }]),
)

it.each(['credits.pack_bought', 'credits', 'Credits.bought', 'credits.pack-bought', 'gate.config_removed'])(
  'refuses the type %s on the wire, to which no client that validates with the schemas of EEP can subscribe',
  (signal) => expect(named(signal)).toThrow('must be words separated by dots'),
)
