import { describe, expect, it } from 'vitest'
import { createPasswordHashing } from './password-hash.ts'

const cheap = { memoryKiB: 1_024, iterations: 2, concurrency: 2 }

describe('password hashing', () => {
  const hashing = createPasswordHashing(cheap)

  it('stores argon2id with the parameters of the options', async () => {
    expect(await hashing.hash('Correct horse 7')).toMatch(/^\$argon2id\$v=19\$(?=.*m=1024)(?=.*t=2)(?=.*p=1)/)
  })

  it('knows the password again, to the last character', async () => {
    const long = `Ab1${'x'.repeat(124)}`
    const stored = await hashing.hash(`${long}1`)
    expect(await hashing.verify(stored, `${long}1`)).toBe(true)
    expect(await hashing.verify(stored, `${long}2`)).toBe(false)
    expect(await hashing.verify(stored, long)).toBe(false)
  })

  it('takes Unicode as it is typed', async () => {
    const composed = 'Caf\u00e9 number 7'
    const stored = await hashing.hash(composed)
    expect(await hashing.verify(stored, composed)).toBe(true)
    expect(await hashing.verify(stored, composed.normalize('NFD'))).toBe(false)
  })

  it('lets no password match where none is stored', async () => {
    expect(await hashing.verify(null, '')).toBe(false)
    expect(await hashing.verify(undefined, 'Correct horse 7')).toBe(false)
  })

  it('calls a hash outdated that was made with less memory or fewer passes', async () => {
    const stored = await hashing.hash('Correct horse 7')
    expect(hashing.isOutdated(stored)).toBe(false)
    expect(createPasswordHashing({ ...cheap, memoryKiB: 2_048 }).isOutdated(stored)).toBe(true)
    expect(createPasswordHashing({ ...cheap, iterations: 3 }).isOutdated(stored)).toBe(true)
    expect(hashing.isOutdated(stored.replace('argon2id', 'argon2i'))).toBe(true)
  })

  it('leaves a hash alone that was made with more', async () => {
    const stored = await createPasswordHashing({ ...cheap, memoryKiB: 2_048, iterations: 3 }).hash('Correct horse 7')
    expect(hashing.isOutdated(stored)).toBe(false)
  })
})
