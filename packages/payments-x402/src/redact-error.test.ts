import { createPublicClient, http } from 'viem'
import { describe, expect, it } from 'vitest'
import { redactError } from './redact-error.ts'

const shown = (error: unknown) => {
  const told = redactError(error)
  return JSON.stringify([told.name, told.message, told.stack, told.cause, told])
}

describe('a redacted error', () => {
  it('keeps its kind and loses the endpoint with its key', async () => {
    const client = createPublicClient({ transport: http('http://127.0.0.1:9/v2/secret-key', { retryCount: 0 }) })
    const error = await client.getBlockNumber().catch((thrown: unknown) => thrown)
    expect(String(error)).toContain('secret-key')
    expect(shown(error)).not.toContain('secret-key')
    expect(redactError(error).message).toContain('HttpRequestError')
  })

  it('loses the bytes of a signature', () => {
    expect(shown(new Error(`call 0x${'ab'.repeat(65)} failed at https://rpc.example/key`))).not.toMatch(
      /abab|rpc\.example/,
    )
  })

  it.each([undefined, null, 'text', 42])('also describes %j', (thrown) => {
    expect(redactError(thrown)).toBeInstanceOf(Error)
  })
})
