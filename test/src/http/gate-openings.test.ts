import { beforeAll, expect, it } from 'vitest'
import { didOf, type Person, signUp } from '../support/accounts.ts'
import type { TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { openInstances } from '../support/instances.ts'

/** Runs once, after the next read of a profile by its name and before its answer is used. */
let meanwhile: (() => Promise<unknown>) | undefined

let app: TestApp
let elsewhere: TestApp

beforeAll(async () => {
  const { database, instance } = await openInstances()
  app = await instance()
  const { storage } = database
  const paused = new Proxy(storage.read.profiles, {
    get(target, property, receiver) {
      const method = Reflect.get(target, property, receiver)
      if (!String(property).startsWith('get')) return method
      return async (...args: readonly unknown[]) => {
        const found = await Reflect.apply(method, target, args)
        const then = meanwhile
        meanwhile = undefined
        await then?.()
        return found
      }
    },
  })
  elsewhere = await instance({ storage: { ...storage, read: { ...storage.read, profiles: paused } } })
})

const PUBLIC = { requirements: [], access: ['profile.*'] }
const CLUB = { requirements: [{ type: 'trust', min_score: 90 }], access: ['profile.bio'] }

async function setGate(owner: Person, tiers: object) {
  const saved = await owner.put(`/eep/gates/${didOf(owner)}`, { default_tier: 'public', tiers })
  expect(saved.statusCode, saved.body).toBe(200)
}

it.each(['/u/', '/profiles/u/'])(
  'does not show what a field contained while it was gated when it is opened during a read of %s',
  async (path) => {
    const owner = await signUp(app)
    const url = `${path}${owner.account.username}`
    await owner.put(`/profiles/u/${owner.account.username}`, { bio: 'Only for the club' })
    await setGate(owner, { public: PUBLIC, club: CLUB })
    meanwhile = async () => {
      await owner.put(`/profiles/u/${owner.account.username}`, { bio: 'For everyone' })
      await setGate(owner, { public: PUBLIC })
    }
    const { statusCode, body } = await client(elsewhere).get(url, { accept: 'application/json' })
    expect([statusCode, meanwhile]).toEqual([200, undefined])
    expect(body).not.toContain('Only for the club')
    await expect
      .poll(async () => (await client(elsewhere).get(url, { accept: 'application/json' })).json().bio)
      .toBe('For everyone')
  },
)
