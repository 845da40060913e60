import { describe, expect, it } from 'vitest'
import { createKeyring } from '../../kernel/keyring.ts'
import { MAX_ANSWER_BYTES, seal, unseal } from './sealed-answer.ts'

const request = { accountId: 'ada', route: 'POST /api-keys', key: 'one' }
const answer = { status: 201, headers: { 'content-type': 'application/json' }, body: '{"key":"eep_secret 李"}' }
const [old, young] = ['an old secret of many characters', 'a young secret of many characters']

describe('an answer that is kept', () => {
  it('reads a stored response, also with a secret that is no longer the first one', async () => {
    const sealed = (await seal(request, answer, createKeyring([old]))) ?? ''
    expect(sealed).not.toContain('eep_secret')
    expect(await unseal(request, sealed, createKeyring([old]))).toEqual(answer)
    expect(await unseal(request, sealed, createKeyring([young, old]))).toEqual(answer)
  })

  it('cannot read a stored response without its secret', async () => {
    const sealed = (await seal(request, answer, createKeyring([old]))) ?? ''
    expect(await unseal(request, sealed, createKeyring([young]))).toBeUndefined()
  })

  it('reads a stored response only for its own request', async () => {
    const keyring = createKeyring([old])
    const sealed = (await seal(request, answer, keyring)) ?? ''
    for (const other of [{ accountId: 'bert' }, { route: 'POST /profiles' }, { key: 'two' }]) {
      expect(await unseal({ ...request, ...other }, sealed, keyring)).toBeUndefined()
    }
    expect(await unseal(request, `${sealed.slice(0, -2)}AA`, keyring)).toBeUndefined()
    expect(await unseal(request, 'nothing of the kind', keyring)).toBeUndefined()
  })

  it('does not store a response over the size limit', async () => {
    const keyring = createKeyring([old])
    const longest = { ...answer, body: 'x'.repeat(MAX_ANSWER_BYTES) }
    expect(await seal(request, longest, keyring)).toBeDefined()
    expect(await seal(request, { ...longest, body: `${longest.body}x` }, keyring)).toBeUndefined()
  })
})
