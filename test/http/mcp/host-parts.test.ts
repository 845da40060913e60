import { defineTool } from '@eep/core/mcp'
import { defineModule } from '@eep/core/module'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { signUp } from '../../support/accounts.ts'
import { newKey } from '../../support/api-keys.ts'
import { createTestApp } from '../../support/app.ts'
import { errorCodeOf, mcpClient } from '../../support/mcp.ts'

const tool = (name: string, more: object = {}) =>
  defineTool({
    name,
    title: 'Double',
    description: 'Doubles a number',
    input: z.strictObject({ number: z.number() }),
    output: z.object({ double: z.number() }),
    run: async ({ number }) => ({ double: number * 2 }),
    ...more,
  })

const { app, close } = await createTestApp({
  modules: [
    defineModule({
      name: 'doubles',
      scopes: ['doubles:run'],
      mcp: () => ({ tools: [tool('double'), tool('double_scoped', { scope: 'doubles:run' })] }),
    }),
  ],
})
afterAll(close)

describe('a tool of a module without a route', () => {
  it('is listed and called with checked arguments', async () => {
    const mcp = mcpClient(app)
    expect((await mcp.list()).names).toContain('double')
    expect((await mcp.call('double', { number: 21 })).structuredContent).toEqual({ double: 42 })
    expect(errorCodeOf(await mcp.call('double', { number: 'x' }))).toBe('validation_failed')
    expect(errorCodeOf(await mcp.call('double', { number: 1, other: 2 }))).toBe('validation_failed')
  })

  it('needs its scope: anonymous callers are asked to sign in, and keys without it are refused', async () => {
    const person = await signUp(app)
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'double_scoped', arguments: { number: 1 } },
    }
    expect((await mcpClient(app).post(call)).statusCode).toBe(401)
    const [without, having] = await Promise.all([
      newKey(app, person.headers, { scopes: ['read:content'] }),
      newKey(app, person.headers, { scopes: ['doubles:run'] }),
    ])
    expect(errorCodeOf(await mcpClient(app, without.headers).call('double_scoped', { number: 1 }))).toBe(
      'insufficient_scope',
    )
    expect((await mcpClient(app, having.headers).call('double_scoped', { number: 1 })).structuredContent).toEqual({
      double: 2,
    })
  })

  it('stops the start when its name exists', async () => {
    const twice = defineModule({ name: 'twice', mcp: () => ({ tools: [tool('read_page')] }) })
    await expect(createTestApp({ modules: [twice] })).rejects.toThrow('both have a tool "read_page"')
  })
})
