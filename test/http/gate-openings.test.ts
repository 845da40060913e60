import { beforeAll, describe, expect, it, vi } from 'vitest'
import { didOf, type Person, signUp } from '../support/accounts.ts'
import type { TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { openInstances } from '../support/instances.ts'

/** Runs once, after the next read of a profile by its name and before its answer is used. */
let meanwhile: (() => Promise<unknown>) | undefined

/** Runs once, before the next read of the sections of a profile. */
let beforeSections: (() => Promise<unknown>) | undefined

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
  const smartSections = new Proxy(storage.read.smartSections, {
    get(target, property, receiver) {
      const method = Reflect.get(target, property, receiver)
      return async (...args: readonly unknown[]) => {
        const first = beforeSections
        beforeSections = undefined
        await first?.()
        return Reflect.apply(method, target, args)
      }
    },
  })
  elsewhere = await instance({ storage: { ...storage, read: { ...storage.read, profiles: paused, smartSections } } })
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

describe('sections that are sold from now on', () => {
  const SOLD = 'Only for the club'
  const section = (body: string) => ({ sections: [{ key: 'news', title: 'News', body }] })

  /** A profile with open sections, and what sells its next ones. */
  async function newSeller() {
    const owner = await signUp(app)
    const { active_profile_id: id, username } = owner.account
    const put = async (body: string) => {
      const stored = await owner.put(`/profiles/${id}/smart-sections`, section(body))
      expect(stored.statusCode, stored.body).toBe(200)
    }
    await put('For everyone')
    const sell = async () => {
      await setGate(owner, { public: PUBLIC, club: { ...CLUB, access: ['profile.smart_sections'] } })
      await put(SOLD)
    }
    return { sell, document: `/u/${username}`, sections: `/profiles/${id}/smart-sections` }
  }
  const read = (url: string) => client(elsewhere).get(url, { accept: 'application/json' })

  it('are not in the document of a read that began before', async () => {
    const { sell, document } = await newSeller()
    beforeSections = sell
    const { statusCode, body } = await read(document)
    expect([statusCode, beforeSections]).toEqual([200, undefined])
    expect(body).not.toContain(SOLD)
  })

  it('are not in the list of an instance that does not know the gate yet', async () => {
    const { sell, sections } = await newSeller()
    expect((await read(sections)).body).toContain('For everyone')
    const sold = vi.fn(sell)
    beforeSections = sold
    expect((await read(sections)).body).not.toContain(SOLD)
    beforeSections = undefined
    if (sold.mock.calls.length === 0) await sell()
    await expect.poll(async () => (await read(sections)).statusCode).not.toBe(200)
  })

  it('are not in the list for language models of a read that began before', async () => {
    const { sell } = await newSeller()
    beforeSections = sell
    const { statusCode, body } = await read('/llms-full.txt')
    expect([statusCode, beforeSections]).toEqual([200, undefined])
    expect(body).not.toContain(SOLD)
  })
})
